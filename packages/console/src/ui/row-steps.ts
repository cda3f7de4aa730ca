/** The index of the next row: the first if none is chosen, at most the last. */
export function nextRow(current: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1
  if (current === -1) return step === 1 ? 0 : count - 1
  return Math.min(count - 1, Math.max(0, current + step))
}
