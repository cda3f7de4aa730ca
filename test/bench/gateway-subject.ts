import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { onAllCores, onServerCore } from './cores'
import type { Load } from './drive'
import { type Running, startProcess } from './processes'
import type { Place, Subject } from './scenario'

const root = join(import.meta.dir, '../..')

/** The key of the one participant of a measured platform. */
export const benchKey = 'sk_test_bench'

/** Signs what the processes of a measured platform say of their callers. */
export const benchSecret = Buffer.alloc(32, 7).toString('base64')

/** The gateway in front of the first subject, with all cores for it and the client. */
export const throughGateway = (load: Load): Subject => ({
  name: 'through the gateway',
  load,
  async start(place, [service]) {
    if (!service) throw new Error('The gateway is measured in front of the service before it')
    return await startGateway(place, service.url)
  },
})

/** Gateway and service in one process, on one core as the service alone. */
export const inOneProcess = (load: Load, assets: number): Subject => ({
  name: 'through the gateway, in one process',
  load,
  async start(place) {
    const folder = place.newFolder()
    cpSync(await place.seeded(assets), folder, { recursive: true })
    const names = ['quote', 'participant', 'gateway'] as const
    const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const))
    const urlOf = (name: (typeof names)[number]) => `http://127.0.0.1:${Object.fromEntries(ports)[name]}`
    const running = await startProcess({
      command: [...onServerCore, ...place.bun, join(root, 'scripts/all.ts'), ...names],
      env: {
        ...settings,
        ...Object.fromEntries(ports.map(([name, port]) => [`${name.toUpperCase()}_PORT`, port])),
        DATA_DIR: folder,
        REDIS_URL: place.redisUrl,
        MAIN_URL: urlOf('participant'),
      },
      readyUrls: [`${urlOf('gateway')}/health`, `${urlOf('participant')}/health`, `${urlOf('quote')}/health`],
      log: join(folder, 'services.log'),
    })
    await makeParticipant(urlOf('participant'))
    return running
  },
})

const settings = {
  NODE_ENV: 'production',
  INTERNAL_SECRET: benchSecret,
  RATE_LIMIT_PER_SECOND: '1000000000',
}

async function startGateway(place: Place, quoteUrl: string): Promise<Running> {
  const folder = place.newFolder()
  const ports = { participant: String(await freePort()), gateway: String(await freePort()) }
  const participantUrl = `http://127.0.0.1:${ports.participant}`
  const env = {
    ...settings,
    DATA_DIR: folder,
    REDIS_URL: place.redisUrl,
    PARTICIPANT_PORT: ports.participant,
    GATEWAY_PORT: ports.gateway,
    QUOTE_URL: quoteUrl,
    // Knows no key, as a main API that has issued none.
    MAIN_URL: participantUrl,
  }
  const start = (name: keyof typeof ports) =>
    startProcess({
      command: [...onAllCores, ...place.bun, join(root, `services/${name}/src/main.ts`)],
      env,
      readyUrls: [`http://127.0.0.1:${ports[name]}/health`],
      log: join(folder, `${name}.log`),
    })
  const participant = await start('participant')
  await makeParticipant(participantUrl)
  const gateway = await start('gateway')
  return {
    ...gateway,
    async stop() {
      await gateway.stop()
      await participant.stop()
    },
  }
}

async function makeParticipant(url: string): Promise<void> {
  const body = JSON.stringify({ institutionName: 'Bench', authConsumerId: benchKey, customers: [] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/participants`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The participant was not made: ${answer.status} ${await answer.text()}`)
}
