import { expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { eventText } from '@bursar/contracts/event'
import { testRedis, until } from '@bursar/testing'
import { Redis } from 'ioredis'
import { connectBus } from '../src'
import { Counted, envelope, keptLog, patienceMs, secret } from './events'

/** Between a bus and its Redis: loses answers, and cuts connections. */
async function wireTo(port: number) {
  const pairs: { toBus: Socket; toRedis: Socket; isMute: boolean }[] = []
  const server = createServer((toBus) => {
    const pair = { toBus, toRedis: connect(port, '127.0.0.1'), isMute: false }
    pairs.push(pair)
    toBus.pipe(pair.toRedis)
    pair.toRedis.on('data', (bytes) => pair.isMute || toBus.write(bytes))
    pair.toRedis.on('close', () => toBus.destroy())
    for (const socket of [toBus, pair.toRedis]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The wire has no port')
  return {
    url: `redis://127.0.0.1:${address.port}`,
    pairs,
    close: () => server.close(),
  }
}

test('a job whose record was made, and its answer lost, is no complaint of Redis: the worker goes on', async () => {
  const redis = await testRedis()
  const wire = await wireTo(redis.port)
  const log = keptLog()
  const account = connectBus({ url: redis.url, service: 'account', log, secret, patienceMs })
  const quote = connectBus({ url: wire.url, service: 'quote', log, secret, patienceMs })
  await quote.healthy()
  const ofPublisher = wire.pairs.length
  const ofWorker = () => wire.pairs.slice(ofPublisher)
  const seen: string[] = []
  quote.consume(async ({ id }) => {
    seen.push(id)
    if (seen.length === 1) for (const pair of ofWorker()) pair.isMute = true
  })
  await account.publish([envelope(Counted, { n: 1 })].map(eventText))
  await until(async () => seen.length === 1 && (await quote.depth()) === 0, { what: 'the job to be recorded' })
  for (const { toBus } of ofWorker()) toBus.destroy()
  await until(() => log.lines.length > 0, { what: 'the line' })
  await account.publish([envelope(Counted, { n: 2 })].map(eventText))
  await until(() => seen.length === 2, { what: 'the next event' })
  expect(log.lines).toEqual([
    {
      level: 'info',
      fields: { error: expect.stringContaining(`job ${seen[0]}`) },
      message: 'A job was recorded before, or is another worker’s',
    },
  ])
  await Promise.all([account.close(), quote.close()])
  wire.close()
  await redis.stop()
})

test('a job whose lock ends while its handler runs, as in a long outage, is no complaint of Redis either', async () => {
  const redis = await testRedis()
  const log = keptLog()
  const options = { url: redis.url, log, secret }
  const [account, quote] = [
    connectBus({ ...options, service: 'account', patienceMs }),
    connectBus({ ...options, service: 'quote' }),
  ]
  const begun = Promise.withResolvers<string>()
  const gate = Promise.withResolvers<void>()
  quote.consume(async ({ id }) => {
    begun.resolve(id)
    await gate.promise
  })
  await account.publish([envelope(Counted, { n: 1 })].map(eventText))
  const id = await begun.promise
  const admin = new Redis(redis.url)
  // A busy machine may keep the impatient one from Redis for too long, and that is told as well.
  const told = () => log.lines.filter(({ message }) => !message.startsWith('Redis is '))
  // Again and again: the job is taken anew where it is found without its lock before that is renewed.
  const isTold = async () => {
    await admin.del(`bursar:quote:${id}:lock`)
    return told().length > 0
  }
  await until(isTold, { what: 'the line' })
  expect(told()).toEqual([
    {
      level: 'info',
      fields: { error: `could not renew lock for job ${id}` },
      message: 'A job was recorded before, or is another worker’s',
    },
  ])
  gate.resolve()
  admin.disconnect()
  await Promise.all([account.close(), quote.close()])
  await redis.stop()
})
