/** Saves a text or bytes as a file. The browser asks where. */
export function download(name: string, content: string | Uint8Array<ArrayBuffer>, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, "_").slice(0, 100);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
