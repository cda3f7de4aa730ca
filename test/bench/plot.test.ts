import { expect, test } from 'bun:test'
import { pointsOf, svgOf } from './plot'

const history = `# What it found

## 2026-01-02 10:00 UTC

| scenario | subject  | conn. | requests/s | p50 ms |
| -------- | -------- | ----: | ---------: | -----: |
| GET <a>  | service  |     1 |      1,000 |   0.41 |
|          | service  |    64 |      2,000 |   0.41 |
|          | raw SQL  |    64 |      4,000 |   0.41 |

| process | ready ms |
| ------- | -------: |
| quote   |      300 |

## 2026-01-03 10:00 UTC

| scenario | subject  | conn. | requests/s | p50 ms |
| -------- | -------- | ----: | ---------: | -----: |
| GET <a>  | service  |    64 |      3,000 |   0.41 |
`

test('the history’s load tables are read, other tables are not', () => {
  const [first, second, third, fourth, ...others] = pointsOf(history)
  expect(first).toMatchObject({ section: 0, scenario: 'GET <a>', subject: 'service', connections: 1 })
  expect(second).toMatchObject({ connections: 64, requestsPerSecond: 2000, date: '2026-01-02' })
  expect(third).toMatchObject({ scenario: 'GET <a>', subject: 'raw SQL', requestsPerSecond: 4000 })
  expect(fourth).toMatchObject({ section: 1, requestsPerSecond: 3000 })
  expect(others).toEqual([])
})

test('a line for each subject: higher is faster, left to right in the order of time', () => {
  const svg = svgOf(pointsOf(history))
  const lines = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  )
  // The highest rate is at the top (34) of a panel, nothing at its bottom (150).
  expect(lines).toEqual([
    [
      [70, 92],
      [560, 63],
    ],
    [[70, 34]],
  ])
  expect(svg).toContain('GET &lt;a&gt;')
})
