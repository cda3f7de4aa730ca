/** Whether one of the texts holds what was typed, in any case; nothing typed is held by all. */
export function folds(typed: string, texts: readonly (string | null)[]): boolean {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted))
}
