import { existsSync } from 'node:fs'
import { installByApt } from './apt'

/** Chromium without a window: the same engine for half the processor time. Debian has it as a package. */
const headless = 'chromium-headless-shell'
const others = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

function find(names: readonly string[]): string | undefined {
  const PATH = [process.env.PATH, '/usr/bin', '/usr/local/bin', '/snap/bin'].join(':')
  return names.map((name) => Bun.which(name, { PATH })).find((program) => program !== null) ?? undefined
}

/**
 * A Chromium for the tests of the console: CHROMIUM, the one without a window, which root installs with apt-get where it
 * is missing, else one that is installed. Empty, after a sentence that says so, where there is none and none can be
 * installed.
 */
export function provideChromium(say: (sentence: string) => unknown): string {
  const chosen = process.env.CHROMIUM
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM is ${chosen}, and that program does not exist.`)
  }
  const found = find([headless])
  if (found) return found
  say(`no ${headless} is here yet, for the tests of the console`)
  const reason = canInstall() ? installByApt(headless, say) : 'only root can install it, with apt-get'
  const program = find([headless, ...others])
  if (program) return program
  if (canInstall()) installByApt('chromium', say)
  const installed = find(others)
  if (!installed) say(`the tests of the console are skipped: ${reason ?? 'its package brings no program'}`)
  return installed ?? ''
}

const canInstall = (): boolean => process.getuid?.() === 0 && Bun.which('apt-get') !== null
