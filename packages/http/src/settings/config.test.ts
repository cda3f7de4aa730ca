import { describe, expect, test } from 'bun:test'
import { integerSetting, serviceConfig, wordSetting } from './config'

describe('a service’s settings', () => {
  test('have defaults that work on one machine', () => {
    const config = serviceConfig({}, 'log-tracker')
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4015, dataDir: 'data', logLevel: 'info' })
    expect(config.urls.quote).toBe('http://127.0.0.1:4001')
  })

  test('are named after the service’s slug', () => {
    const config = serviceConfig(
      { TRACKER_PORT: '5000', QUOTE_PORT: '5001', WALLET_URL: 'https://wallet.internal/' },
      'log-tracker',
    )
    expect(config.port).toBe(5000)
    expect(config.urls).toMatchObject({ quote: 'http://127.0.0.1:5001', wallet: 'https://wallet.internal' })
  })

  test.each([
    ['::', 'http://127.0.0.1:4001'],
    ['0.0.0.0', 'http://127.0.0.1:4001'],
    ['::1', 'http://[::1]:4001'],
    ['fd00::5', 'http://[fd00::5]:4001'],
    ['10.0.0.5', 'http://10.0.0.5:4001'],
  ])('HOST=%s is called at %s', (HOST, url) => {
    expect(serviceConfig({ HOST }, 'account').urls.quote).toBe(url)
  })

  test.each(['x', '1e3', '-1', '65536', '1.5'])('PORT=%s is refused in one sentence', (text) => {
    expect(() => serviceConfig({ QUOTE_PORT: text }, 'quote')).toThrow(
      `QUOTE_PORT must be a whole number from 0 to 65535, not "${text}"`,
    )
  })

  test('a server is a PostgreSQL server with a database, or none', () => {
    for (const url of ['postgres://u:p@db.internal:5432/bursar', 'postgresql://db.internal/bursar'])
      expect(serviceConfig({ DATABASE_URL: url }, 'quote').databaseUrl).toBe(url)
    expect(serviceConfig({}, 'quote').databaseUrl).toBeNull()
  })

  test.each(['mysql://u:secret@db/bursar', 'postgres://u:secret@db', 'data/secret.sqlite'])(
    'another one is refused, without what may be a password: %s',
    (url) => {
      const read = () => serviceConfig({ DATABASE_URL: url }, 'quote')
      expect(read).toThrow('DATABASE_URL must be a server and a database')
      expect(read).not.toThrow('secret')
    },
  )

  test('an empty variable counts as missing', () => {
    expect(integerSetting({ A: '' }, 'A', { fallback: 7, minimum: 0, maximum: 9 })).toBe(7)
    expect(wordSetting({ A: '' }, 'A', ['x', 'y'], 'y')).toBe('y')
  })

  test('a word that is not taken names those that are', () => {
    expect(() => serviceConfig({ LOG_LEVEL: 'loud' }, 'quote')).toThrow(
      'LOG_LEVEL must be one of debug, info, warn, error, silent',
    )
  })
})
