import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort } from '@bursar/testing'
import { makeProgram } from '../../scripts/build/program'
import { onServerCore } from './cores'
import { drive, median } from './drive'
import { memoryMb, type Running, startProcess } from './processes'
import type { Place } from './scenario'
import { table } from './table'

interface Kind {
  title: string
  services: readonly ServiceName[]
  goals: { readyMs?: number; idleMb?: number }
}

const root = join(import.meta.dir, '../..')
const kinds: readonly Kind[] = [
  {
    title: 'quote',
    services: ['quote'],
    goals: { idleMb: 80 },
  },
  {
    title: 'quote and log-tracker in one process',
    services: ['quote', 'log-tracker'],
    goals: { readyMs: 1000 },
  },
  {
    title: 'all services in one process',
    // The first one is put under load, by a route of the quote service.
    services: serviceNames.toSorted((one, other) => Number(other === 'quote') - Number(one === 'quote')),
    goals: { idleMb: 120 },
  },
]

/** How long services take until they are ready, and their memory then and after load: a table, and whether all is well. */
export async function startAndMemory(
  place: Place,
  { rounds, seconds, tell }: { rounds: number; seconds: number; tell: (progress: string) => void },
): Promise<{ text: string; met: boolean }> {
  const outcomes: { cells: string[]; met: boolean }[] = []
  for (const kind of kinds) outcomes.push(await measureKind(kind, place, rounds, seconds, tell))
  const right = ['ready ms', 'idle RSS MB', 'idle PSS MB', 'RSS after load', 'PSS after load']
  const head = ['process', ...right, 'goal']
  return {
    text: table(
      head,
      outcomes.map(({ cells }) => cells),
      right,
    ),
    met: outcomes.every(({ met }) => met),
  }
}

async function measureKind(
  kind: Kind,
  place: Place,
  rounds: number,
  seconds: number,
  tell: (progress: string) => void,
) {
  const readyTimes: number[] = []
  for (let round = 1; round <= rounds; round++) {
    tell(`${kind.title}: start ${round} of ${rounds}`)
    const running = await startKind(kind, place)
    readyTimes.push(running.readyMs)
    if (round < rounds) await running.stop()
    else {
      try {
        return report(kind, readyTimes, ...(await underLoad(running, seconds, tell)))
      } finally {
        await running.stop()
      }
    }
  }
  throw new Error('There was no round')
}

async function startKind(kind: Kind, place: Place): Promise<Running> {
  const folder = place.newFolder()
  const ports = Object.fromEntries(
    await Promise.all(
      kind.services.map(async (name) => [`${services[name].slug.toUpperCase()}_PORT`, String(await freePort())]),
    ),
  ) as Record<string, string>
  return startProcess({
    // As it is in production, of what `bun run build` makes.
    command: [...onServerCore, await makeProgram(root), ...kind.services],
    env: { NODE_ENV: 'production', DATA_DIR: folder, REDIS_URL: place.redisUrl, ...ports },
    readyUrls: Object.values(ports).map((port) => `http://127.0.0.1:${port}/health`),
    log: join(folder, 'service.log'),
  })
}

type Memory = Awaited<ReturnType<typeof memoryMb>>

async function underLoad(
  running: Running,
  seconds: number,
  tell: (progress: string) => void,
): Promise<[Memory, Memory]> {
  await Bun.sleep(2000)
  const idle = await memoryMb(running.pid)
  tell('memory under load')
  await drive(running, { path: '/assets', script: 'new-asset.lua' }, 64, seconds)
  await drive(running, { path: '/rates', script: 'new-rate.lua', env: { CODE: 'USDC' } }, 64, seconds)
  await drive(running, { path: '/assets' }, 64, seconds)
  await Bun.sleep(2000)
  return [idle, await memoryMb(running.pid)]
}

function report({ title, goals }: Kind, readyTimes: number[], idle: Memory, loaded: Memory) {
  const readyMs = median(readyTimes)
  const verdicts = [
    ...(goals.readyMs ? [{ says: `ready in less than ${goals.readyMs} ms`, met: readyMs < goals.readyMs }] : []),
    ...(goals.idleMb ? [{ says: `idle RSS below ${goals.idleMb} MB`, met: idle.rss < goals.idleMb }] : []),
  ]
  const figures = [readyMs, idle.rss, idle.pss, loaded.rss, loaded.pss].map((value) => value.toFixed(0))
  const goal = verdicts.map(({ says, met }) => `${says}: ${met ? 'met' : '**missed**'}`).join('; ')
  return { cells: [title, ...figures, goal], met: verdicts.every(({ met }) => met) }
}
