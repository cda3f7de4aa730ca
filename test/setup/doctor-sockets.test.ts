// What the doctor finds about the sockets by which the services of a machine call each other.
import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { examineSockets } from '../../scripts/doctor/sockets'

const home = tempDir()
const examined = async (dataDir: string, env: Record<string, string> = {}) =>
  (await examineSockets({ home, env, dataDir, timeUrl: null })).map(({ verdict, says }) => `${verdict}: ${says}`)
const byPorts = 'warning: services call each other by their ports, which takes more of the processor:'

test('a folder of sockets is there, not there yet, elsewhere, or not wanted', async () => {
  const dataDir = tempDir()
  expect(await examined(dataDir)).toEqual([])
  mkdirSync(join(dataDir, 'sockets'))
  expect(await examined(dataDir)).toEqual([`ok: services call each other by those in ${join(dataDir, 'sockets')}`])
  mkdirSync(join(home, 'run'))
  expect(await examined(dataDir, { SOCKET_DIR: 'run' })).toEqual([
    `ok: services call each other by those in ${join(home, 'run')}`,
  ])
  expect(await examined(dataDir, { SOCKET_DIR: 'none' })).toEqual(['ok: none: services call each other by their ports'])
})

test('a path that is too long for a socket, before the first start as well', async () => {
  const longest = `/${'f'.repeat(95)}`
  expect(await examined(tempDir(), { SOCKET_DIR: longest })).toEqual([])
  expect(await examined(tempDir(), { SOCKET_DIR: `${longest}f` })).toEqual([
    `${byPorts} ${longest}f has too long a path: set SOCKET_DIR to a shorter one`,
  ])
})

test('a folder that all users share, and a file in its place', async () => {
  const shared = tempDir()
  chmodSync(shared, 0o1777)
  expect(await examined(tempDir(), { SOCKET_DIR: shared })).toEqual([
    `${byPorts} ${shared} is shared by all users: set SOCKET_DIR to a folder of its own`,
  ])
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  expect(await examined(tempDir(), { SOCKET_DIR: file })).toEqual([
    `${byPorts} ${file} cannot be read and written by this user: make it a folder of the user who runs the services`,
  ])
})
