// What is derived from the sealing key outlives its rotation: refresh tokens and devices.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resealPlace } from '@bursar/http'
import { dropEndedKeys, keyLines, rotateKeyFile } from '@bursar/http/key-file'
import { fixedClock, tempDir } from '@bursar/testing'
import { config } from '../src/config'
import { definition } from '../src/service'
import { admin, openService, type TestIdentityManager } from './harness'

const dataDir = tempDir()
const until = new Date('2026-03-01T00:00:00Z')
/** It stands: a refresh is repeated within ten seconds, however long a rotation takes. */
const now = fixedClock('2026-03-02T12:00:00.000Z')
let service: TestIdentityManager
beforeAll(async () => {
  service = await openService({ dataDir, now })
})
afterAll(() => service.close())

function rotate(): void {
  rotateKeyFile(dataDir, 'identity.key', until)
  service.deps.seal.ring.refresh()
}
/** Seals all again, and removes the earlier keys. */
async function endFormer(): Promise<void> {
  const places = definition(config({ DATA_DIR: dataDir })).sealed?.(service.deps) ?? []
  for (const place of places) expect((await resealPlace(service.store, place)).broken).toBe(0)
  dropEndedKeys(dataDir, 'identity.key', until)
  service.deps.seal.ring.refresh()
  expect(keyLines(readFileSync(join(dataDir, 'identity.key'), 'utf8'))).toHaveLength(1)
}
const refresh = (refreshToken: string) => service.post('/auth/refresh', { refreshToken })

test('a refresh whose answer was lost gets the same token after a rotation, and the session goes on', async () => {
  const { refreshToken } = (await service.logIn()).body.data
  const lost = (await refresh(refreshToken)).body.data.refreshToken
  rotate()
  const again = await refresh(refreshToken)
  expect([again.status, again.body.data.refreshToken]).toEqual([200, lost])
  const next = await refresh(lost)
  expect(next.status).toBe(200)
  await endFormer()
  expect((await refresh(next.body.data.refreshToken)).status).toBe(200)
})

test('a used token is still taken for stolen after a rotation', async () => {
  const { refreshToken } = (await service.logIn()).body.data
  const second = (await refresh(refreshToken)).body.data.refreshToken
  const third = (await refresh(second)).body.data.refreshToken
  rotate()
  expect((await refresh(refreshToken)).status).toBe(401)
  expect((await refresh(third)).status).toBe(401)
})

test('a device is known until the key that marked it ends', async () => {
  const user = await service.member()
  const { knownDevices } = service.deps
  const token = knownDevices.issue(user.id, new Date())
  rotate()
  expect(knownDevices.read(token, user.id, new Date())).not.toBeNull()
  expect(knownDevices.read(knownDevices.issue(user.id, new Date()), user.id, new Date())).not.toBeNull()
  await endFormer()
  expect(knownDevices.read(token, user.id, new Date())).toBeNull()
  expect((await service.logIn(admin.email, admin.password)).status).toBe(200)
})
