import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../api/store'
import type { PlotProps, PlotSeries } from './plot-props'
import { darkStore } from './preferences'
import { Skeleton } from './states'

const loadDrawing = () => import('./plot-drawing')

/** A plot in the page's colours, drawn when its library is loaded; a table below has the same figures. */
export function Plot(props: PlotProps) {
  const { label, x, series, tableTitle = 'The same as a table' } = props
  const frame = useRef<HTMLDivElement>(null)
  const isDark = useStore(darkStore)
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading')
  useEffect(() => {
    let isGone = false
    let remove: (() => void) | undefined
    loadDrawing().then(
      ({ draw }) => {
        if (isGone || !frame.current) return
        remove = draw(frame.current, props)
        setState('drawn')
      },
      () => setState('failed'),
    )
    return () => {
      isGone = true
      remove?.()
    }
  }, [x, series, isDark])
  return (
    <div class="plot">
      <Legend series={series} />
      <div
        ref={frame}
        class={`plot-frame is-${state}`}
        role="img"
        aria-label={`${label}. The table below has the figures.`}
      />
      {state === 'loading' ? <Skeleton lines={4} /> : null}
      {state === 'failed' ? <p class="hint">The plot could not be loaded; the table has its figures.</p> : null}
      <PlotTable {...props} title={tableTitle} />
    </div>
  )
}

function Legend({ series }: { series: readonly PlotSeries[] }): ComponentChildren {
  if (series.length < 2 && !series[0]?.total) return null
  return (
    <ul class="plot-legend">
      {series.map(({ label, tone, kind, total }) => (
        <li key={label}>
          <span class={`plot-key is-${kind} plot-${tone}`} />
          {label} {total}
        </li>
      ))}
    </ul>
  )
}

function PlotTable({ x, series, format, formatX, title, label }: PlotProps & { title: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="plot-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen ? (
        <table class="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">When</th>
              {series.map((each) => (
                <th key={each.label} scope="col" class="is-end">
                  {each.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {x
              .map((seconds, i) => (
                <tr key={seconds}>
                  <th scope="row">{formatX(seconds)}</th>
                  {series.map(({ label: head, values }) => (
                    <td key={head} class="is-end">
                      {written(values[i], format)}
                    </td>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      ) : null}
    </details>
  )
}

const written = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? 'none' : format(value)
