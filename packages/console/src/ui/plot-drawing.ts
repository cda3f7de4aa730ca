import Uplot from 'uplot'
import type { PlotProps, PlotSeries } from './plot-props'

/** Draws a plot into an element, and again when its width changes. Returns the function that removes it. */
export function draw(frame: HTMLElement, props: PlotProps): () => void {
  const plot = new Uplot(
    optionsOf(frame, props),
    [[...props.x], ...props.series.map(({ values }) => [...values])] as Uplot.AlignedData,
    frame,
  )
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth > 0 && frame.clientWidth !== plot.width) {
      plot.setSize({ width: frame.clientWidth, height: plot.height })
    }
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

/** `rgb(1 2 3)` with an opacity. */
const faded = (colour: string, opacity: number): string =>
  `color-mix(in srgb, ${colour} ${opacity * 100}%, transparent)`

function optionsOf(
  frame: HTMLElement,
  { x, series, format, formatX, height = 240, isFloating = false }: PlotProps,
): Uplot.Options {
  const text = colourOf(frame, 'text')
  const line = colourOf(frame, 'line')
  const font = `12px ${getComputedStyle(frame).fontFamily}`
  const axis = { stroke: text, font, ticks: { show: false } }
  return {
    width: Math.max(frame.clientWidth, 200),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: { x: { time: false, range: withRoom(x, series) }, y: { range: isFloating ? aroundValues : withZero } },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        splits: (plot) => (isFloating ? evenMarks : marksOf)(x, plot.bbox.width / devicePixelRatio),
        values: (_, splits) => splits.map((at) => formatX(at)),
      },
      { ...axis, size: 64, grid: { stroke: line, width: 1 }, values: (_, splits) => splits.map((y) => format(y)) },
    ],
    series: [{}, ...series.map((each) => seriesOf(frame, each))],
    plugins: [readout(frame, { series, format, formatX })],
  }
}

/** As many x values as there is room for labels, from the last one back. */
function marksOf(x: readonly number[], width: number): number[] {
  const step = Math.max(1, Math.ceil((x.length * 72) / Math.max(1, width)))
  return x.filter((_, i) => (x.length - 1 - i) % step === 0)
}

/** Even time steps, with room for a date and a time each. */
function evenMarks(x: readonly number[], width: number): number[] {
  const [first = 0, last = 0] = [x[0], x.at(-1)]
  const steps = Math.max(1, Math.floor(width / 110))
  // In the middle of each step: labels at the ends would be cut off.
  return Array.from({ length: steps }, (_, i) => first + ((last - first) * (i + 0.5)) / steps)
}

/** The first and the last bar need half a bar's width more at the sides. */
function withRoom(x: readonly number[], series: readonly PlotSeries[]): Uplot.Range.Function {
  const hasBars = series.some(({ kind }) => kind === 'bars')
  const room = hasBars ? ((x[1] ?? 0) - (x[0] ?? 0)) * 0.6 : 0
  return (_, from, to) => [from - room, to + room]
}

/** The range includes zero: bars and areas mean nothing without it. */
function withZero(_: Uplot, low: number | null, high: number | null): Uplot.Range.MinMax {
  const [from, to] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  const room = (to - from || 1) * 0.06
  return [from === 0 ? 0 : from - room, to === 0 ? 0 : to + room]
}

/** The range fits the values, so that small changes are visible. */
function aroundValues(_: Uplot, low: number | null, high: number | null): Uplot.Range.MinMax {
  const [from, to] = [low ?? 0, high ?? 0]
  const room = (to - from) * 0.1 || Math.abs(to) * 0.001 || 1
  return [from - room, to + room]
}

function seriesOf(frame: HTMLElement, { label, kind, tone }: PlotSeries): Uplot.Series {
  const colour = colourOf(frame, tone)
  const common = { label, stroke: colour, width: 2, points: { show: false } }
  if (kind === 'bars') {
    return { ...common, width: 0, fill: colour, paths: Uplot.paths.bars?.({ size: [0.62, 28], radius: 0.12 }) }
  }
  return kind === 'area' ? { ...common, fill: faded(colour, 0.16) } : common
}

/** The values under the pointer, as text above the plot. */
function readout(
  frame: HTMLElement,
  { series, format, formatX }: Pick<PlotProps, 'series' | 'format' | 'formatX'>,
): Uplot.Plugin {
  const box = document.createElement('div')
  box.className = 'plot-readout'
  return {
    hooks: {
      init: () => frame.append(box),
      destroy: () => box.remove(),
      setCursor: ({ cursor, data }) => {
        const at = cursor.idx
        box.textContent =
          at === null || at === undefined
            ? ''
            : `${formatX(data[0][at] ?? 0)}: ${series
                .map(({ label, values }) => `${label} ${values[at] == null ? 'none' : format(values[at])}`)
                .join(' · ')}`
      },
    },
  }
}
