/** Compares two decimal strings by value: below 0 when the first is less, 0 when they are equal. */
export function compareDecimals(a: string, b: string): number {
  const [x, y] = [fractionOf(a), fractionOf(b)]
  const digits = Math.max(x.length, y.length)
  const [left = 0n, right = 0n] = [wholeOf(a) + x.padEnd(digits, '0'), wholeOf(b) + y.padEnd(digits, '0')].map(BigInt)
  return left === right ? 0 : left < right ? -1 : 1
}

const wholeOf = (text: string): string => text.split('.')[0] ?? ''
const fractionOf = (text: string): string => text.split('.')[1] ?? ''
