import Uplot from 'uplot'

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

const height = 240

/** Draws a plot into an element, and again when its width changes. Returns the function that removes it. */
export function draw(frame: HTMLElement, props: PlotProps): () => void {
  const plot = new Uplot(optionsOf(frame, props), [[...props.x], [...props.values]], frame)
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth > 0 && frame.clientWidth !== plot.width) plot.setSize({ width: frame.clientWidth, height })
  })
  observer.observe(frame)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

/** A canvas does not know CSS variables, and light-dark() is resolved only in a colour property. */
function colourOf(frame: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.className = `plot-${name}`
  frame.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function optionsOf(frame: HTMLElement, props: PlotProps): Uplot.Options {
  const { x, unit, format, formatX } = props
  const axis = {
    stroke: colourOf(frame, 'text'),
    font: `12px ${getComputedStyle(frame).fontFamily}`,
    ticks: { show: false },
  }
  return {
    width: Math.max(frame.clientWidth, 200),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { x: { time: false }, y: { range: aroundValues } },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        splits: (plot) => evenMarks(x, plot.bbox.width / devicePixelRatio),
        values: (_, splits) => splits.map((at) => formatX(at)),
      },
      {
        ...axis,
        size: 64,
        grid: { stroke: colourOf(frame, 'line'), width: 1 },
        values: (_, splits) => splits.map((y) => format(y)),
      },
    ],
    series: [{}, { label: unit, stroke: colourOf(frame, 'good'), width: 2, points: { show: false } }],
    plugins: [readout(frame, props)],
  }
}

/** Even time steps, with room for a date and a time each. */
function evenMarks(x: readonly number[], width: number): number[] {
  const [first = 0, last = 0] = [x[0], x.at(-1)]
  const steps = Math.max(1, Math.floor(width / 110))
  // In the middle of each step: labels at the ends would be cut off.
  return Array.from({ length: steps }, (_, i) => first + ((last - first) * (i + 0.5)) / steps)
}

/** The range fits the values, so that small changes are visible. */
function aroundValues(_: Uplot, low: number | null, high: number | null): Uplot.Range.MinMax {
  const [from, to] = [low ?? 0, high ?? 0]
  const room = (to - from) * 0.1 || Math.abs(to) * 0.001 || 1
  return [from - room, to + room]
}

/** The value under the pointer, as text above the plot. */
function readout(frame: HTMLElement, { x, values, unit, format, formatX }: PlotProps): Uplot.Plugin {
  const box = document.createElement('div')
  box.className = 'plot-readout'
  return {
    hooks: {
      init: () => frame.append(box),
      destroy: () => box.remove(),
      setCursor: ({ cursor: { idx } }) => {
        box.textContent = idx == null ? '' : `${formatX(x[idx] ?? 0)}: ${unit} ${format(values[idx] ?? 0)}`
      },
    },
  }
}
