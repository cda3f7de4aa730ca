import type { ServiceName } from '@bursar/contracts/services'
import type { Environment, RunningService } from '@bursar/http'
import { freePort } from './free-port'
import { builtServices, settingOf, startBuilt } from './platform'
import { tempDir } from './temp-dir'

/** Settings of a service that is started for its document alone: without Redis, and silent. */
const aloneSettings = async (): Promise<Environment> => ({
  DATA_DIR: tempDir(),
  REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  LOG_LEVEL: 'silent',
  // Else its password would be printed.
  ADMIN_EMAIL: 'types@localhost.example',
  ADMIN_PASSWORD: crypto.randomUUID(),
})

async function readFrom<T>(running: RunningService, path: string): Promise<T> {
  const response = await fetch(running.url + path)
  if (!response.ok) throw new Error(`${running.url}${path} was answered with ${response.status}`)
  return (await response.json()) as T
}

/** The OpenAPI document that a service serves. */
export async function documentOf<T = unknown>(name: ServiceName): Promise<T> {
  const running = await startBuilt(name, { ...(await aloneSettings()), [settingOf(name, 'PORT')]: '0' })
  try {
    return await readFrom<T>(running, '/v1/swagger/json')
  } finally {
    await running.stop()
  }
}

/** The OpenAPI document of the whole platform, as its gateway serves it where roles are checked. */
export async function wholeDocument<T = unknown>(): Promise<T> {
  const env = { ...(await aloneSettings()), AUTHORIZATION: 'roles' } as Environment
  const running: RunningService[] = []
  try {
    const behind = builtServices().filter((name) => name !== 'gateway')
    await Promise.all(
      behind.map(async (name) => {
        const service = await startBuilt(name, { ...env, [settingOf(name, 'PORT')]: '0' })
        running.push(service)
        env[settingOf(name, 'URL')] = service.url
      }),
    )
    const gateway = await startBuilt('gateway', { ...env, [settingOf('gateway', 'PORT')]: '0' })
    running.push(gateway)
    return await readFrom<T>(gateway, '/openapi.json')
  } finally {
    await Promise.all(running.map((service) => service.stop()))
  }
}
