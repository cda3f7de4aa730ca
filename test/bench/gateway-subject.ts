import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
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

/**
 * The gateway in front of the first subject, with all cores for it and the client. It calls that one by its socket, whose
 * folder is the one of its data; `overTcp`: by its port.
 */
export const throughGateway = (load: Load, assets: number, { overTcp = false } = {}): Subject => ({
  name: overTcp ? 'through the gateway, over TCP' : 'through the gateway',
  load,
  async start(place, [service]) {
    if (!service) throw new Error('The gateway is measured in front of the service before it')
    const sockets = overTcp ? 'none' : join(await place.seeded(assets), 'sockets')
    return await startGateway(place, service.url, sockets)
  },
})

/** What a gateway that does nothing would cost: a request handed on by the service's socket, and its answer. */
export const bareProxy = (assets: number): Subject => ({
  name: 'through a bare proxy',
  floor: true,
  async start(place, [service]) {
    if (!service) throw new Error('The proxy is measured in front of the service before it')
    const port = await freePort()
    const socket = join(await place.seeded(assets), 'sockets', `${new URL(service.url).port}.sock`)
    return await startProcess({
      command: [
        ...onAllCores,
        ...place.bun,
        join(import.meta.dir, 'floors/proxy.ts'),
        String(port),
        service.url,
        socket,
      ],
      env: { NODE_ENV: 'production' },
      readyUrls: [`http://127.0.0.1:${port}/health`],
      log: join(place.newFolder(), 'proxy.log'),
    })
  },
})

/** Gateway and service in one process, on one core as the service alone. */
export const inOneProcess = (load: Load, assets: number): Subject => ({
  name: 'through the gateway, in one process',
  load,
  async start(place) {
    const folder = place.newFolder()
    cpSync(await place.seeded(assets), folder, { recursive: true, filter: (path) => !path.endsWith('/sockets') })
    const names = ['quote', 'participant', 'main-api', 'gateway'] as const
    const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const))
    const urlOf = (name: (typeof names)[number]) => `http://127.0.0.1:${Object.fromEntries(ports)[name]}`
    const settingOf = (name: (typeof names)[number]) => `${services[name].slug.toUpperCase()}_PORT`
    const running = await startProcess({
      command: [...onServerCore, ...place.bun, join(root, 'scripts/all.ts'), ...names],
      env: {
        ...settings,
        ...Object.fromEntries(ports.map(([name, port]) => [settingOf(name), port])),
        DATA_DIR: folder,
        REDIS_URL: place.redisUrl,
      },
      readyUrls: ['gateway' as const, ...names].map((name) => `${urlOf(name)}/health`),
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

async function startGateway(place: Place, quoteUrl: string, sockets: string): Promise<Running> {
  const folder = place.newFolder()
  const [participantPort, mainPort, gatewayPort] = [await freePort(), await freePort(), await freePort()]
  const ports = { participant: participantPort, 'main-api': mainPort, gateway: gatewayPort }
  const participantUrl = `http://127.0.0.1:${ports.participant}`
  const env = {
    ...settings,
    DATA_DIR: folder,
    REDIS_URL: place.redisUrl,
    SOCKET_DIR: sockets,
    PARTICIPANT_PORT: String(ports.participant),
    MAIN_PORT: String(ports['main-api']),
    GATEWAY_PORT: String(ports.gateway),
    QUOTE_URL: quoteUrl,
  }
  const start = (name: keyof typeof ports) =>
    startProcess({
      command: [...onAllCores, ...place.bun, join(root, `services/${name}/src/main.ts`)],
      env,
      readyUrls: [`http://127.0.0.1:${ports[name]}/health`],
      log: join(folder, `${name}.log`),
    })
  const others = [await start('participant'), await start('main-api')]
  await makeParticipant(participantUrl)
  const gateway = await start('gateway')
  return {
    ...gateway,
    async stop() {
      await gateway.stop()
      await Promise.all(others.map((each) => each.stop()))
    },
  }
}

async function makeParticipant(url: string): Promise<void> {
  const body = JSON.stringify({ institutionName: 'Bench', authConsumerId: benchKey, customers: [] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/participants`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The participant was not made: ${answer.status} ${await answer.text()}`)
}
