// A real Chromium.
import { tmpdir } from 'node:os'
import { tempDir } from '@bursar/testing'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const program = process.env.CHROMIUM ?? Bun.which('chromium') ?? ''

/** Whether there is a Chromium. Without one the tests of the console are skipped, and the run says so at its end. */
export const hasChromium = program !== ''

let browser: Promise<Browser> | undefined

/** One for all test files of a process; it ends with the process at the latest. */
export async function openBrowser(): Promise<Browser> {
  browser ??= launch()
  return await browser
}

/**
 * Pages of tests live for seconds: what V8's optimizing compilers cost is more than they give back. And nothing draws that
 * needs a process of its own for it. What is timed (paint-times.ts) has the browser as users have it.
 */
const frugal = process.env.NODE_ENV === 'test' ? ['--js-flags=--no-opt,--no-maglev', '--in-process-gpu'] : []

/** Its profile is in this process's folder, which is removed with it: `bun test` runs no exit handlers. */
async function launch(): Promise<Browser> {
  const { TMPDIR = tmpdir() } = process.env
  process.env.TMPDIR = tempDir()
  try {
    const args = ['--no-sandbox', '--disable-dev-shm-usage', ...frugal]
    return await chromium.launch({ executablePath: program, args })
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** A window with cookies of its own, as wide as in an office. */
export async function openWindow(baseURL: string): Promise<BrowserContext> {
  const context = await (await openBrowser()).newContext({
    baseURL,
    viewport: { width: 1440, height: 960 },
    colorScheme: 'light',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  // As long as `until` waits: machines are busy.
  context.setDefaultTimeout(180_000)
  return context
}

/** Things that no page may do; each entry is a sentence. */
export interface Watched {
  page: Page
  problems: string[]
}

/**
 * A page that is watched: errors of scripts, violations of the content security policy, and requests to any other origin
 * are written down.
 */
export async function openWatched(context: BrowserContext, origin: string): Promise<Watched> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`Script error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // The browser reports each answer of 4xx and 5xx by itself; tests decide which are right.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(`Console: ${text}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      problems.push(`Request to ${url}`)
  })
  await page.addInitScript(reportViolations)
  return { page, problems }
}

const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('Policy:', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber))`
