/** Whether one of the texts contains the input, ignoring case; empty input matches everything. */
export function folds(typed: string, texts: readonly (string | null)[]): boolean {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted))
}
