interface Bar {
  y: number
  height: number
}

/**
 * Bars in a frame that is 100 high: up from the line of zero for what is more than nothing, down from it for what is less.
 * Where nothing is more, all stand up: alone they would hang from the top.
 */
export function barsOf(values: readonly number[]): { bars: Bar[]; zero: number } {
  const most = Math.max(0, ...values)
  const least = most === 0 ? 0 : Math.min(0, ...values)
  const scale = 100 / (most - least || Math.max(1, ...values.map(Math.abs)))
  const zero = most === 0 ? 100 : most * scale
  const bars = values.map((value) => {
    // At least a line.
    const height = Math.max(1, Math.abs(value) * scale)
    return { y: value < 0 && most > 0 ? zero : zero - height, height }
  })
  return { bars, zero }
}
