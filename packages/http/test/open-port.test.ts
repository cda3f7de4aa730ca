import { expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { fetchPeer } from '../src'
import { openPort } from '../src/edge/open-port'

const drainMs = 500

test('what is under way at a port, and what a service of the process asks, has ten seconds in all, not one after another', async () => {
  const never = () => new Promise<Response>(() => {})
  const arrived = Promise.withResolvers<void>()
  const app = {
    server: null as ReturnType<typeof Bun.serve> | null,
    listen({ hostname, port }: { hostname: string; port: number }) {
      const fetch = async () => {
        arrived.resolve()
        return await never()
      }
      app.server = Bun.serve({ hostname, port, fetch })
    },
    handle: never,
  }
  const place = { host: '127.0.0.1', port: 0, name: 'account', socketDir: null } as const
  const { url, closePort, leave } = await openPort(app, { ...place, log: silentLog, drainMs })
  const asked = [fetch(url), fetchPeer(url, { signal: new AbortController().signal })]
  const ends = Promise.allSettled(asked)
  await arrived.promise
  await closePort()
  // The time that closing took is gone: of two timers the one that is due first comes first.
  const late = Bun.sleep(drainMs / 2).then(() => 'late')
  expect(await Promise.race([leave().then(() => 'left'), late])).toBe('left')
  void ends
})
