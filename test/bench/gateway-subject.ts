import { join } from 'node:path'
import { freePort } from '@bursar/testing'
import { onAllCores } from './cores'
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

async function startGateway(place: Place, quoteUrl: string): Promise<Running> {
  const folder = place.newFolder()
  const ports = { participant: String(await freePort()), gateway: String(await freePort()) }
  const participantUrl = `http://127.0.0.1:${ports.participant}`
  const env = {
    NODE_ENV: 'production',
    DATA_DIR: folder,
    REDIS_URL: place.redisUrl,
    INTERNAL_SECRET: benchSecret,
    PARTICIPANT_PORT: ports.participant,
    GATEWAY_PORT: ports.gateway,
    QUOTE_URL: quoteUrl,
    // Knows no key, as a main API that has issued none.
    MAIN_URL: participantUrl,
    RATE_LIMIT_PER_SECOND: '1000000000',
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
