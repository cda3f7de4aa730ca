// When pages are painted in a browser that has nothing of them yet: `bun test/console/paint-times.ts [times each]`. On this
// machine as it is, and with a processor four times slower behind 10 Mbit/s. Medians in milliseconds; a quiet machine tells more.
import type { CDPSession } from 'playwright-core'
import { storyOf } from '../e2e/story'
import { closeBrowser } from './browser'
import { seedOf } from './seeded'
import { administrator, type ConsoleStack, openConsole } from './stack'

const times = Number(process.argv[2] ?? 7)

/** A page, and what it has once it shows what one came for. */
const pages = [
  { name: 'log-in', path: '/console', shown: '.gate-card button', isLoggedIn: false },
  { name: 'overview', path: '/console', shown: 'main .table td b', isLoggedIn: true },
  { name: 'review', path: '/console/review', shown: 'main tr.can-open', isLoggedIn: true },
  { name: 'transactions', path: '/console/transactions', shown: 'main tr.can-open', isLoggedIn: true },
] as const
type Case = (typeof pages)[number]

/** Tells when an element is there, at the frame that paints it. */
const watchFor = (selector: string) => `globalThis.shownAt = new Promise((resolve) => {
  const look = () => document.querySelector(${JSON.stringify(selector)})
    ? requestAnimationFrame(() => resolve(performance.now()))
    : requestAnimationFrame(look)
  requestAnimationFrame(look)
})`
const paints = `globalThis.shownAt.then((shown) => ({
  first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? shown,
  shown,
}))`

const slow = {
  offline: false,
  latency: 40,
  downloadThroughput: 10_000_000 / 8,
  uploadThroughput: 10_000_000 / 8,
}

async function slowDown(devtools: CDPSession) {
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

async function measure(stack: ConsoleStack, { path, shown, isLoggedIn }: Case, isSlow: boolean) {
  const { page, context } = isLoggedIn ? await stack.seat(administrator) : await stack.empty()
  if (isSlow) await slowDown(await context.newCDPSession(page))
  await page.addInitScript(watchFor(shown))
  await page.goto(path)
  const found = await page.evaluate<{ first: number; shown: number }>(paints)
  await context.close()
  return found
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0).toString()
}

const stack = await openConsole()
await storyOf(stack.url, stack.platform.env)
await seedOf(stack)
await stack.platform.settle()
const row = (...cells: string[]) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(12))).join(''))
row('', 'first paint', 'shown')
for (const isSlow of [false, true]) {
  for (const each of pages) {
    // The first time warms the services.
    const found = []
    for (let time = 0; time <= times; time++) found.push(await measure(stack, each, isSlow))
    const counted = found.slice(1)
    const [first, shown] = [counted.map((one) => one.first), counted.map((one) => one.shown)]
    row(`${each.name}${isSlow ? ', slow' : ''}`, median(first), median(shown))
  }
}
await stack.close()
await closeBrowser()
