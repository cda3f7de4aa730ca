// The whole platform with its console, and people who work with it.
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import type { BrowserContext, Cookie } from 'playwright-core'
import { storySettings } from '../e2e/story'
import { openBrowser, openWatched, openWindow, type Watched } from './browser'
import { hiring, type Person } from './hiring'

export type { Person } from './hiring'

export const administrator: Person = { email: storySettings.ADMIN_EMAIL, password: storySettings.ADMIN_PASSWORD }

/** A window of a person, with a page in it. */
export interface Desk extends Watched {
  context: BrowserContext
}

export interface ConsoleStack {
  platform: TestPlatform
  /** Of the gateway. */
  url: string
  /** A user of the administration, an institution or a custodian bank with this role, who has set a password. */
  hire: ReturnType<typeof hiring>
  /**
   * A window in which this person has logged in by the log-in page's own request. All windows of a person share one
   * session; `own` gives this one a session that no other window has, for tests that count or end sessions.
   */
  seat(person: Person, session?: { own: boolean }): Promise<Desk>
  /** The same before anybody has logged in. */
  empty(): Promise<Desk>
  /** Closes the windows and stops the platform. The browser stays for the next file. */
  close(): Promise<void>
}

interface Shape {
  /** The name that browsers open the console by: passkeys belong to names. */
  host?: string
  /** Which services run; all of them unless given. */
  names?: ReturnType<typeof builtServices>
}

export async function openConsole(
  settings: Record<string, string> = {},
  { host = '127.0.0.1', names = builtServices() }: Shape = {},
): Promise<ConsoleStack> {
  const [platform] = await Promise.all([
    testPlatform(names, {
      ...storySettings,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_LOGIN: '1000000',
      ...settings,
    }),
    openBrowser(),
  ])
  const url = platform.url('gateway').replace('127.0.0.1', host)
  const windows = new Set<BrowserContext>()
  /** Cookies of sessions, by e-mail. */
  const sessions = new Map<string, Promise<Cookie[]>>()

  async function empty(): Promise<Desk> {
    const context = await openWindow(url)
    windows.add(context)
    context.on('close', () => windows.delete(context))
    return { context, ...(await openWatched(context, url)) }
  }

  async function logIn({ context }: Desk, person: Person): Promise<Cookie[]> {
    const answer = await context.request.post(`${url}/console/api/session`, {
      data: person,
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: url },
    })
    if (!answer.ok()) throw new Error(`${person.email} cannot log in: ${answer.status()} ${await answer.text()}`)
    return await context.cookies()
  }

  return {
    platform,
    url,
    empty,
    hire: hiring(platform, administrator),
    async seat(person, { own } = { own: false }) {
      const desk = await empty()
      const known = own ? undefined : sessions.get(person.email)
      if (known) {
        await desk.context.addCookies(await known)
        return desk
      }
      const cookies = logIn(desk, person)
      if (!own) sessions.set(person.email, cookies)
      await cookies
      return desk
    },
    async close() {
      await Promise.all([...windows].map((context) => context.close()))
      await platform.close()
    },
  }
}
