import { beforeAll, describe, expect, test } from 'bun:test'
import { type Build, buildConsole, buildLogIn } from '../src/console/files/build'

const kib = 1024

describe('what a browser loads of the console', () => {
  let build: Build
  let page: string
  beforeAll(async () => {
    build = await buildConsole()
    page = new TextDecoder().decode((await build.page.body('identity')) as Uint8Array)
  })

  /** In bytes over the wire, as browsers get it: they all take Brotli over https, and on this machine. */
  const sizeOf = async (name: string) => (await build.assets.get(name)?.body('br'))?.byteLength ?? Number.NaN
  const sum = async (names: string[]) => (await Promise.all(names.map(sizeOf))).reduce((all, size) => all + size, 0)
  const namedIn = (text: string) => [...build.assets.keys()].filter((name) => text.includes(name))
  /** What the page itself loads, not what it only names for later. */
  const loadedBy = (html: string) => namedIn([...html.matchAll(/(?:src|href)="[^"]+"/g)].join(' '))
  const textOf = async (name: string) =>
    new TextDecoder().decode((await build.assets.get(name)?.body('identity')) as Uint8Array)

  /** The file of the build that holds these words, and what it imports at once. */
  async function chunkWith(words: string): Promise<string[]> {
    for (const name of build.assets.keys()) {
      const text = await textOf(name)
      if (name.endsWith('.js') && !loadedBy(page).includes(name) && text.includes(words)) {
        const imports = [...text.matchAll(/(?:from|import)\s*"([^"]+)"/g)].map(([, path = '']) => path)
        return [name, ...namedIn(imports.join(' ')).filter((each) => !loadedBy(page).includes(each))]
      }
    }
    throw new Error(`No chunk holds ${words}`)
  }

  test('its first page, whole: page, style, script and font, in four requests', async () => {
    const first = loadedBy(page)
    expect(first.length).toBe(3)
    expect(first.filter((name) => name.endsWith('.woff2')).length).toBe(1)
    const packed = ((await build.page.body('br')) as Uint8Array).byteLength
    expect(packed + (await sum(first))).toBeLessThanOrEqual(60 * 1000)
  })

  test('its font, which is its own', async () => {
    const fonts = [...build.assets.keys()].filter((name) => name.endsWith('.woff2'))
    expect(fonts.length).toBeGreaterThan(0)
    expect(await sum(fonts)).toBeLessThanOrEqual(25 * kib)
  })

  test('the styles of other pages are loaded with those pages', async () => {
    const [, other = ''] = page.match(/<meta name="pages-style" content="\/console\/assets\/([^"]+)">/) ?? []
    expect(loadedBy(page)).not.toContain(other)
    expect(await textOf(other)).toContain('.review-details')
  })

  test('plots besides', async () => {
    const plots = await chunkWith('u-cursor-x')
    expect((await sum(loadedBy(page))) + (await sum(plots))).toBeLessThanOrEqual(100 * 1000)
  })

  test('the passkey code is loaded only when a passkey is used', async () => {
    const [library = ''] = await chunkWith('ERROR_CEREMONY_ABORTED')
    const first = [...loadedBy(page), ...(await chunkWith('Back to the password'))]
    expect(first).not.toContain(library)
  })

  test('a page loads the plot code only when it draws plots', async () => {
    const scripts = loadedBy(page).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(0)
    for (const name of scripts) expect([name, (await textOf(name)).includes('u-cursor-x')]).toEqual([name, false])
  })
})

describe('what a browser loads to log in', () => {
  let build: Build
  let page: string
  beforeAll(async () => {
    const made = await buildLogIn()
    if (!made) throw new Error('There is no log-in page')
    build = made
    page = new TextDecoder().decode((await build.page.body('identity')) as Uint8Array)
  })
  /** Besides the font, which no paint waits for. */
  const loaded = () =>
    [...build.assets].filter(([name]) => page.includes(`/console/assets/${name}"`) && !name.endsWith('.woff2'))

  test('one style and one script, of a size', async () => {
    expect(loaded().map(([name]) => name.split('.').at(-1))).toEqual(expect.arrayContaining(['js', 'css']))
    expect(loaded()).toHaveLength(2)
    const sizes = await Promise.all(loaded().map(async ([, file]) => (await file.body('br')).byteLength))
    expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(16 * kib)
  })

  test('nothing of the pages behind it, and no second step before one is needed', async () => {
    for (const [name, file] of loaded()) {
      const text = new TextDecoder().decode((await file.body('identity')) as Uint8Array)
      for (const other of [
        'Review queue',
        'Completed per day',
        'Back to the password',
        'ERROR_CEREMONY_ABORTED',
        '.review-details',
      ])
        expect([name, other, text.includes(other)]).toEqual([name, other, false])
    }
  })

  test('its form is in the page, for browsers to paint before the script is there', () => {
    expect(page).toMatch(/<h1[^>]*>Log in<\/h1>.*name="email".*name="password"/s)
    expect(page).toContain('<span class="badge gate-sandbox">sandbox</span>')
    expect(page).not.toContain('ENVIRONMENT')
  })

  test('the name of the environment is that of the deployment', async () => {
    const production = await buildLogIn(undefined, 'production')
    const text = new TextDecoder().decode((await production?.page.body('identity')) as Uint8Array)
    expect(text).toContain('<span class="badge gate-production">production</span>')
    expect(text).toContain('<meta name="environment" content="production">')
    expect(text).not.toContain('sandbox')
  })
})
