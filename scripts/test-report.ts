export interface Count {
  passed: number
  failed: number
}

/**
 * Counts a JUnit report of `bun test`. Failures outside any test count too: a file that could not be loaded
 * is missing from the report, a crashed run has no report, and a run without tests proves nothing.
 */
export function countReport(report: string, exitCode: number, files: readonly string[]): Count {
  const totals = /<testsuites [^>]*>/.exec(report)?.[0]
  if (!totals) return { passed: 0, failed: 1 }
  const total = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(totals)?.[1] ?? 0)
  const passed = total('tests') - total('failures') - total('skipped')
  const failed = total('failures') + missingFrom(report, files).length
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: unexplained ? 1 : failed }
}

/** The files that a report does not name: one that could not be loaded, or that declares no test. */
export const missingFrom = (report: string, files: readonly string[]): string[] =>
  files.filter((file) => !report.includes(` file="${file}"`))
