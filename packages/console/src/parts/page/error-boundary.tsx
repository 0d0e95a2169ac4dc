import { Component, type ReactNode } from "react";
import { ErrorPanel } from "../state-panel.tsx";

interface Props {
  /** The error is forgotten when this changes. */
  readonly place: string;
  readonly children: ReactNode;
}

/** A screen that fails does not take the page with it. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidUpdate({ place }: Props): void {
    if (place !== this.props.place && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <>
        <ErrorPanel error={error} retry={() => this.setState({ error: undefined })} />
        {/import|module/i.test(String(error)) && (
          <p>
            The server may have been updated.{" "}
            <button type="button" onClick={() => location.reload()}>
              Reload the page
            </button>
          </p>
        )}
      </>
    );
  }
}
