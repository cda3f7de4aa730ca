import { expect, test } from 'bun:test'
import { complaintsAbout } from './server-check'

const info = (version: string, policy: string) =>
  `# Server\r\nredis_version:${version}\r\nredis_git_sha1:0\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n`

test('accepts Redis from 6.2 that evicts nothing', () => {
  expect(complaintsAbout(info('6.2.0', 'noeviction'))).toEqual([])
  expect(complaintsAbout(info('7.0.15', 'noeviction'))).toEqual([])
  expect(complaintsAbout('')).toEqual([])
})

test('names an old version and a policy that evicts', () => {
  expect(complaintsAbout(info('6.0.16', 'allkeys-lru'))).toEqual([
    'version 6.0.16 is older than 6.2',
    'maxmemory-policy is allkeys-lru and must be noeviction, or events get lost',
  ])
})
