import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '@bursar/testing'
import { openGateway, type TestGateway } from './harness'

const withKey = { 'x-api-key': 'sk_test_idle' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
  gateway.main.issue(withKey['x-api-key'], { participantId: '01a1fe8f-0000-7000-8000-0000000000b1' })
})
afterAll(() => gateway?.close())

test('thousands of connections that send nothing, or little by little, delay nobody else', async () => {
  const sockets: Socket[] = []
  const { port } = new URL(gateway.url)
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1' }, resolve)
      socket.once('error', reject)
      sockets.push(socket)
    })
  // Both ends are this process's: what it may still open, halved, and no more than 10,000.
  const most = Math.min(10_000, Math.floor((openFilesLimit() - openFiles() - 1000) / 2))
  try {
    for (let n = 0; n < most; n += 500) await Promise.all(Array.from({ length: Math.min(500, most - n) }, open))
    for (const socket of sockets.slice(0, 500))
      socket.write('GET /quote/v1/assets HTTP/1.1\r\nHost: localhost\r\nX-A: ')
    for (let n = 0; n < 20; n++) expect((await gateway.get('/quote/v1/assets', withKey)).status).toBe(200)
    // They are all there still: no answer waited for them to be closed.
    expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(400)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await until(async () => (await gateway.get('/quote/v1/assets', withKey)).status === 200, {
    what: 'an answer afterwards',
  })
})

/** How many files this process has open: in a run of all tests, many. */
const openFiles = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 1000)

/** How many files a process may have open, as the system tells it. */
function openFilesLimit(): number {
  const said = Bun.spawnSync(['/bin/sh', '-c', 'ulimit -n']).stdout.toString().trim()
  return said === 'unlimited' ? 100_000 : Number(said) || 1024
}
