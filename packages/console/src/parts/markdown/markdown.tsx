import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { MAX_DEPTH } from "./depth.ts";
import { cachedTokens, parseMarkdown } from "./parse.ts";

/** Above this, a text is shown as plain text: formatting a very long page must not freeze the browser. */
const MAX_CHARS = 200_000;

/**
 * Markdown from models, as React elements. No HTML is ever interpreted: tags are shown as text, links only lead to http(s)
 * and mail addresses, images are shown as links, so that a reply cannot make the page load anything. Until it is parsed, and if that takes too long, it is shown as it is.
 */
export function Markdown({ text }: { text: string }) {
  const [parsed, setParsed] = useState<{ text: string; tokens: readonly Token[] | undefined }>();
  const cached = cachedTokens(text);
  useEffect(() => {
    if (text.length > MAX_CHARS || cached) return;
    return parseMarkdown(text, (tokens) => setParsed({ text, tokens }));
  }, [text]);
  const tokens = cached?.tokens ?? (parsed?.text === text ? parsed.tokens : undefined);
  if (!tokens) return <pre className="plain">{text}</pre>;
  return <div className="markdown">{blocks(tokens, 0)}</div>;
}

function blocks(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  if (depth > MAX_DEPTH) return tokens?.map((token) => token.raw).join("");
  return tokens?.map((token, index) => <Fragment key={index}>{element(token, depth + 1)}</Fragment>);
}

function element(token: Token, depth: number): ReactNode {
  const inner = () =>
    blocks((token as { tokens?: Token[] }).tokens, depth) ?? (token as { text?: string }).text;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading": {
      // The page has its own h1 and h2.
      const Heading = `h${Math.min(6, (token as Tokens.Heading).depth + 2)}` as "h3";
      return <Heading>{inner()}</Heading>;
    }
    case "paragraph":
      return <p>{inner()}</p>;
    case "code":
      return (
        <pre tabIndex={0} role="region" aria-label="Code">
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "list":
      return list(token as Tokens.List, depth);
    case "table":
      return table(token as Tokens.Table, depth);
    case "hr":
      return <hr />;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
    case "image":
      return link(token as Tokens.Link);
    case "text":
    case "escape":
      return inner();
    default:
      return token.raw;
  }
}

function link({ href, text }: { href: string; text: string }): ReactNode {
  if (!/^(https?:|mailto:)/i.test(href)) return text;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {text || href}
    </a>
  );
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const entries = items.map((item, index) => <li key={index}>{blocks(item.tokens, depth)}</li>);
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table, depth: number): ReactNode {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{blocks(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{blocks(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
