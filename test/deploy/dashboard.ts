import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The Grafana dashboard, as far as tests look at it. */
interface Dashboard {
  panels: {
    id: number
    type: string
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    datasource?: { uid: string }
    targets?: { expr: string }[]
  }[]
  templating: { list: { name: string; type: string }[] }
}

export const dashboard = (): Dashboard =>
  JSON.parse(readFileSync(join(import.meta.dir, '../../deploy/grafana/bursar.json'), 'utf8'))

/** Its queries, as Grafana sends them. */
export const queries = (): string[] =>
  dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')))
