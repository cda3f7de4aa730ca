import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { countRestarts } from '../../scripts/stack/restarts'
import { knownSettings, openDoorWarning, settingsFilesIn, unknownSettings } from '../../scripts/stack/warnings'

const example = await Bun.file(join(import.meta.dir, '../../.env.example')).text()
const known = knownSettings(example)
const complaints = (text: string) => unknownSettings([{ name: '.env', text }], known)

describe('settings that nothing reads', () => {
  test('are named, with the setting that is meant', () => {
    expect(complaints('QUOTE_PROT=4101\n')).toEqual([
      '.env sets QUOTE_PROT, which is no setting and changes nothing: is QUOTE_PORT meant?',
    ])
    expect(complaints('QUOTE_PROT: 4101\n')).toHaveLength(1)
    expect(complaints('# QUOTE_PROT=1\nexport redis_url = redis://x\n')).toEqual([
      '.env sets redis_url, which is no setting and changes nothing: is REDIS_URL meant?',
    ])
  })

  test('are named in the file of the systemd units, too', async () => {
    const file = join(tempDir(), 'bursar.env')
    writeFileSync(file, 'ENVIRONMENT=production\nFOUR_EYES_UDS=10000\nNODE_EXTRA_CA_CERTS=/etc/ssl/own.pem\n')
    expect(await settingsFilesIn(tempDir(), file)).toEqual([
      `${file} sets FOUR_EYES_UDS, which is no setting and changes nothing: is FOUR_EYES_USD meant?`,
    ])
  })

  test('are named alone when none is near', () => {
    expect(complaints('COMPLETELY_DIFFERENT=1')).toEqual([
      '.env sets COMPLETELY_DIFFERENT, which is no setting and changes nothing.',
    ])
  })

  test('the files of all secrets are known, and listed', () => {
    const [head = ''] = example.split('# --- All services')
    const secrets = [...known].filter((name) => /SECRET|PASSWORD|PASSPHRASE|API_KEY|_RPC_URL/.test(name))
    const own = [...secrets, 'REDIS_URL', 'SMTP_URL'].filter((name) => !name.endsWith('_FILE'))
    expect(own.length).toBeGreaterThan(10)
    for (const name of own) {
      expect(complaints(`${name}_FILE=/run/secret`)).toEqual([])
      if (!name.endsWith('_RPC_URLS')) expect(head).toContain(name)
    }
    expect(complaints('HOST_FILE=x')).toHaveLength(1)
  })

  test('those of .env.example, and the addresses of services elsewhere, are known', () => {
    expect(complaints('HOST=::1\nQUOTE_PORT=1\nQUOTE_URL=http://quote\nNODE_ENV=production\n\nHALF')).toEqual([])
  })
})

describe('services that others can reach', () => {
  test('are warned of, unless callers must prove who they are', () => {
    expect(openDoorWarning({ HOST: '0.0.0.0' })).toContain('WARNING: HOST is 0.0.0.0')
    expect(openDoorWarning({ HOST: '192.168.1.5', INTERNAL_AUTH: 'optional' })).toContain('192.168.1.5')
    expect(openDoorWarning({ HOST: '0.0.0.0', INTERNAL_AUTH: 'required' })).toBeNull()
    for (const HOST of [undefined, '', 'localhost', '127.0.0.1', '127.8.8.8', '::1'])
      expect(openDoorWarning({ HOST })).toBeNull()
  })
})

test('a process is started again five times within a minute, each time a little later', () => {
  const restarts = countRestarts()
  const pauses = [0, 1000, 2000, 3000, 4000].map((nowMs) => restarts.next(nowMs)?.pauseMs)
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000])
  expect(restarts.next(59_999)).toBeNull()
  expect(restarts.next(60_000)).toEqual({ number: 5, pauseMs: 4000 })
  expect(restarts.next(200_000)).toEqual({ number: 1, pauseMs: 250 })
})
