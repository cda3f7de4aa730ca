import { expect, test } from 'bun:test'
import { localServer } from '@bursar/testing'
import { watchWaiting } from '../../scripts/stack/waiting'

test('what waits is new once, though its numbers change, and again after it was gone', async () => {
  let waiting: string[] = []
  const server = localServer(() => Response.json({ status: 'degraded', waiting }))
  const waits = watchWaiting([{ name: 'wallet', host: '', port: 0, variable: '', url: server.url }])
  const look = (...sentences: string[]) => {
    waiting = sentences
    return waits.look()
  }
  expect(await look('2 orders wait: bun run wallet:held')).toEqual(['wallet: 2 orders wait: bun run wallet:held'])
  expect(await look('3 orders wait: bun run wallet:held')).toEqual([])
  expect(await look('4 orders wait: bun run wallet:held', 'No mail can be sent')).toEqual([
    'wallet: No mail can be sent',
  ])
  expect(await look()).toEqual([])
  expect(await look('5 orders wait: bun run wallet:held')).toEqual(['wallet: 5 orders wait: bun run wallet:held'])
  await server.stop()
})

test('a failure is new when two checks in a row find it', async () => {
  const server = localServer(() => Response.json({ error: 'database: full' }, { status: 503 }))
  const waits = watchWaiting([{ name: 'wallet', host: '', port: 0, variable: '', url: server.url }])
  expect([await waits.look(), await waits.look(), await waits.look()]).toEqual([[], ['wallet: database: full'], []])
  await server.stop()
})
