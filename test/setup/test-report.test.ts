import { describe, expect, test } from 'bun:test'
import { countReport } from '../../scripts/test-report'

const report = (totals: string, ...files: string[]) =>
  `<testsuites name="bun test" ${totals}>${files.map((file) => `<testsuite name="${file}" file="${file}">`).join('')}`

describe('countReport', () => {
  test('counts neither skipped tests nor failures as passed', () => {
    const text = report('tests="9" assertions="7" failures="2" skipped="3"', 'a.test.ts')
    expect(countReport(text, 1, ['a.test.ts'])).toEqual({ passed: 4, failed: 2 })
  })

  test('counts a file that could not be loaded as a failure', () => {
    const text = report('tests="5" failures="0" skipped="0"', 'a.test.ts')
    expect(countReport(text, 1, ['a.test.ts', 'b.test.ts'])).toEqual({ passed: 5, failed: 1 })
  })

  test('counts a run that crashed, and so left no report, as a failure', () => {
    expect(countReport('', 139, ['a.test.ts'])).toEqual({ passed: 0, failed: 1 })
  })

  test('counts a run that ended early with exit code 0 as a failure', () => {
    expect(countReport('', 0, ['a.test.ts'])).toEqual({ passed: 0, failed: 1 })
  })

  test('counts an exit code that no test explains as a failure', () => {
    const text = report('tests="5" failures="0" skipped="0"', 'a.test.ts')
    expect(countReport(text, 1, ['a.test.ts'])).toEqual({ passed: 5, failed: 1 })
  })

  test('counts a run in which nothing ran as a failure', () => {
    const text = report('tests="2" failures="0" skipped="2"', 'a.test.ts')
    expect(countReport(text, 0, ['a.test.ts'])).toEqual({ passed: 0, failed: 1 })
  })
})
