// deploy/grafana/bursar.json: that its queries can be read, and its panels stand beside each other. That their figures exist
// is tested over a platform as it runs (test/faults/alerts.test.ts).
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { dashboard, queries } from './dashboard'
import { hasPromtool } from './promtool'

const { panels, templating } = dashboard()

test('each panel has a title, a number and a place of its own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)}:${y + Math.floor(n / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})

test('every query asks the data source that its reader chooses', () => {
  expect(templating.list.map(({ name, type }) => [name, type])).toEqual([['source', 'datasource']])
  for (const { datasource, type } of panels) if (type !== 'row') expect(datasource?.uid).toMatch(/^\$\{source\}$/)
})

test.skipIf(!hasPromtool)('Prometheus can read every query', async () => {
  const file = join(tempDir(), 'rules.yml')
  const rules = queries().map((expr, place) => ({ record: `query:${place}`, expr }))
  expect(rules.length).toBeGreaterThan(20)
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  const run = Bun.spawn(['promtool', 'check', 'rules', file], { stdout: 'ignore', stderr: 'inherit' })
  expect(await run.exited).toBe(0)
})
