export interface PlotProps {
  /** What the values are, for screen readers and in the table: `USDC in USD`. */
  label: string
  /** Their unit, at the pointer: `USD`. */
  unit: string
  /** Seconds since 1970, ascending. */
  x: readonly number[]
  /** One for each x. */
  values: readonly number[]
  /** Formats a value for the axis and the table. */
  format(value: number): string
  /** Formats an x: a day, or a time. */
  formatX(seconds: number): string
}
