/** Whole percent; less than all is never shown as 100. */
export function shareOf(part: number, whole: number): string {
  const percent = Math.round((part / whole) * 100)
  if (percent === 100 && part < whole) return '99.9 %'
  return percent === 0 && part > 0 ? '0.1 %' : `${percent} %`
}
