// The whole platform with its console, and people who work with it.
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import type { BrowserContext } from 'playwright-core'
import { callerAt } from '../../scripts/demo/gateway'
import { invitationTokenOf } from '../../scripts/demo/invitation'
import { storySettings } from '../e2e/story'
import { closeBrowser, type Look, openWatched, openWindow, type Watched } from './browser'

/** Who works with the console. */
export interface Person {
  email: string
  password: string
}

export const administrator: Person = { email: storySettings.ADMIN_EMAIL, password: storySettings.ADMIN_PASSWORD }

/** What a person has before them: a window, and a page in it. */
export interface Desk extends Watched {
  context: BrowserContext
}

export interface ConsoleStack {
  platform: TestPlatform
  /** Of the gateway. */
  url: string
  /** A user of the administration with this role, who has set a password. */
  hire(role: 'admin' | 'operator' | 'viewer', name: string): Promise<Person>
  /** A window in which this person has logged in by the log-in page's own request. */
  seat(person: Person, look?: Look): Promise<Desk>
  /** The same before anybody has logged in. */
  empty(look?: Look): Promise<Desk>
  close(): Promise<void>
}

const password = 'four patient herons at the weir'

export async function openConsole(settings: Record<string, string> = {}): Promise<ConsoleStack> {
  const platform = await testPlatform(builtServices(), {
    ...storySettings,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_LOGIN: '1000000',
    ...settings,
  })
  const url = platform.url('gateway')
  const as = callerAt(url)
  let people = 0

  async function empty(look?: Look): Promise<Desk> {
    const context = await openWindow(url, look)
    return { context, ...(await openWatched(context, url)) }
  }
  return {
    platform,
    url,
    empty,
    async hire(role, name) {
      const email = `${role}-${++people}@bursar.example`
      const { data } = await as({}).ask<{ data: { accessToken: string } }>('POST /identity/v1/auth/login', {
        body: administrator,
      })
      const admin = as({ token: data.accessToken })
      const { data: roles } = await admin.ask<{ data: { id: string; name: string }[] }>('GET /main/v1/admin/roles')
      const roleId = roles.find((each) => each.name === role)?.id
      await admin.ask('POST /identity/v1/users', { body: { email, name, roleId } })
      const token = await invitationTokenOf(platform.env.DATA_DIR ?? platform.dataDir, email)
      await as({}).ask(`POST /identity/v1/auth/change-password/${token}`, { body: { password } })
      return { email, password }
    },
    async seat(person, look) {
      const desk = await empty(look)
      const answer = await desk.context.request.post(`${url}/console/api/session`, {
        data: person,
        headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin: url },
      })
      if (!answer.ok()) throw new Error(`${person.email} cannot log in: ${answer.status()} ${await answer.text()}`)
      return desk
    },
    async close() {
      await closeBrowser()
      await platform.close()
    },
  }
}
