import { existsSync } from 'node:fs'
import { installByApt } from './apt'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const findChromium = (): string | undefined => {
  const PATH = [process.env.PATH, '/usr/bin', '/usr/local/bin', '/snap/bin'].join(':')
  return names.map((name) => Bun.which(name, { PATH })).find((program) => program !== null) ?? undefined
}

/**
 * A Chromium for the tests of the console: CHROMIUM, one that is installed, else one that root installs with apt-get.
 * Empty, after a sentence that says so, where there is none and none can be installed.
 */
export function provideChromium(say: (sentence: string) => unknown): string {
  const chosen = process.env.CHROMIUM
  if (chosen) {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM is ${chosen}, and there is no such program.`)
  }
  const found = findChromium()
  if (found) return found
  say('no Chromium is here yet, for the tests of the console')
  const reason = canInstall() ? installByApt('chromium', say) : 'only root can install it, with apt-get'
  const installed = findChromium()
  if (!installed) say(`the tests of the console are skipped: ${reason ?? 'its package brings no program'}`)
  return installed ?? ''
}

const canInstall = (): boolean => process.getuid?.() === 0 && Bun.which('apt-get') !== null
