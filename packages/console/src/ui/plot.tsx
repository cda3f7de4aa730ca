import { useEffect, useRef, useState } from 'preact/hooks'
import { useStore } from '../api/store'
import { PlainTable } from './plain-table'
import type { PlotProps } from './plot-drawing'
import { darkStore } from './preferences'
import { Skeleton } from './states'

const loadDrawing = () => import('./plot-drawing')

/** A line in the page's colours, drawn when its library is loaded; a table below has the same figures. */
export function Plot(props: PlotProps & { tableTitle: string }) {
  const { label, x, values } = props
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
  }, [x, values, isDark])
  return (
    <div class="plot">
      <div
        ref={frame}
        class={`plot-frame is-${state}`}
        role="img"
        aria-label={`${label}. The table below has the figures.`}
      />
      {state === 'loading' ? <Skeleton lines={4} /> : null}
      {state === 'failed' ? <p class="hint">The plot could not be loaded; the table has its figures.</p> : null}
      <PlotTable {...props} />
    </div>
  )
}

function PlotTable({ x, values, unit, format, formatX, tableTitle, label }: PlotProps & { tableTitle: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="plot-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{tableTitle}</summary>
      {isOpen ? (
        <PlainTable
          label={label}
          heads={['When', unit]}
          rows={x.map((seconds, i) => [formatX(seconds), format(values[i] ?? 0)] as const).reverse()}
        />
      ) : null}
    </details>
  )
}
