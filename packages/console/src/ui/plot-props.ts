import type { ComponentChildren } from 'preact'

export interface PlotSeries {
  label: string
  /** One for each x; null for a gap. */
  values: readonly (number | null)[]
  kind: 'bars' | 'line' | 'area'
  tone: 'good' | 'bad' | 'wait' | 'move' | 'out'
  /** Beside its name, such as the sum. */
  total?: ComponentChildren
}

export interface PlotProps {
  /** The plot's label, for screen readers. */
  label: string
  /** Seconds since 1970, ascending. */
  x: readonly number[]
  series: readonly PlotSeries[]
  /** Formats a value for the axis and the table. */
  format(value: number): string
  /** Formats an x: a day, or a time. */
  formatX(seconds: number): string
  height?: number
  /** A level at uneven times, such as a rate: the axis need not include zero, and has even time steps. */
  isFloating?: boolean
  /** The title of the table with the same figures: `The days as a table`. */
  tableTitle?: string
}
