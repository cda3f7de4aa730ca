// Draws test/bench/history.svg from history.md: `bun test/bench/plot.ts`; each run of the benchmark does it too.
import { join } from 'node:path'

/** One row of a table in history.md. */
export interface Point {
  /** Which section of the history, counted from 0, and its date. */
  section: number
  date: string
  scenario: string
  subject: string
  connections: number
  requestsPerSecond: number
}

/** All rows of all load tables, in their order. */
export function pointsOf(history: string): Point[] {
  const sections = history.split(/^## /m).slice(1)
  return sections.flatMap((text, section) => {
    const date = text.slice(0, 10)
    let scenario = ''
    return text.split('\n').flatMap((line) => {
      const [, first = '', subject = '', connections = '', rate = ''] = line.split('|').map((cell) => cell.trim())
      const requestsPerSecond = Number(rate.replaceAll(',', ''))
      if (!/^\d+$/.test(connections) || !(requestsPerSecond > 0)) return []
      scenario = first === '' ? scenario : first
      return [{ section, date, scenario, subject, connections: Number(connections), requestsPerSecond }]
    })
  })
}

const width = 900
const panelHeight = 190
const plot = { left: 70, right: 560, top: 34, bottom: 150 }
const colours = ['#0b6e4f', '#c1121f', '#1d4ed8', '#b45309', '#7c3aed', '#475569', '#0891b2']
const connectionsShown = 64

/** A panel for each scenario at 64 connections: requests per second of each subject over the sections. */
export function svgOf(points: readonly Point[]): string {
  const shown = points.filter(({ connections }) => connections === connectionsShown)
  const panels = [...Map.groupBy(shown, ({ scenario }) => scenario)]
  const height = panels.length * panelHeight + 30
  const body = panels.map(
    ([title, of], i) => `<g transform="translate(0 ${i * panelHeight + 20})">${panel(title, of)}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<title>Requests per second of each run of the benchmark</title>
<rect width="${width}" height="${height}" fill="white"/>
<text x="8" y="16">Requests per second at ${connectionsShown} connections, by run. Only figures of one run compare with each other.</text>
${body.join('\n')}
</svg>
`
}

function panel(title: string, points: readonly Point[]): string {
  const sections = [...new Set(points.map(({ section }) => section))]
  const most = Math.max(...points.map(({ requestsPerSecond }) => requestsPerSecond))
  const x = (section: number) => {
    const place = sections.length > 1 ? sections.indexOf(section) / (sections.length - 1) : 1
    return Math.round(plot.left + place * (plot.right - plot.left))
  }
  const y = (rate: number) => Math.round(plot.bottom - (rate / most) * (plot.bottom - plot.top))
  const dates = sections.map((section) => {
    const date = points.find((point) => point.section === section)?.date ?? ''
    return `<text x="${x(section)}" y="${plot.bottom + 14}" text-anchor="middle" fill="#555">${date}</text>`
  })
  const subjects = [...Map.groupBy(points, ({ subject }) => subject)]
  const lines = subjects.map(([subject, of], i) => {
    const colour = colours[i % colours.length] ?? 'black'
    const places = of.map(({ section, requestsPerSecond }) => `${x(section)},${y(requestsPerSecond)}`)
    const dots = places.map((place) => `<circle cx="${place.replace(',', '" cy="')}" r="3"/>`)
    const last = of.at(-1)?.requestsPerSecond ?? 0
    const legend = `<text x="${plot.right + 16}" y="${plot.top + 8 + i * 16}">${escaped(subject)}: ${Math.round(last).toLocaleString('en')}</text>`
    return `<g fill="${colour}"><polyline points="${places.join(' ')}" fill="none" stroke="${colour}"/>${dots.join('')}${legend}</g>`
  })
  return [
    `<text x="8" y="22" font-weight="bold">${escaped(title)}</text>`,
    `<path d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}" fill="none" stroke="#999"/>`,
    `<text x="${plot.left - 6}" y="${plot.top + 4}" text-anchor="end" fill="#555">${Math.round(most).toLocaleString('en')}</text>`,
    `<text x="${plot.left - 6}" y="${plot.bottom + 4}" text-anchor="end" fill="#555">0</text>`,
    ...dates,
    ...lines,
  ].join('\n')
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Draws the history anew. */
export async function drawHistory(): Promise<void> {
  const history = await Bun.file(join(import.meta.dir, 'history.md')).text()
  await Bun.write(join(import.meta.dir, 'history.svg'), svgOf(pointsOf(history)))
}

if (import.meta.main) await drawHistory()
