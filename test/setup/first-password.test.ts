import { expect, test } from 'bun:test'
import { keepFirstPassword } from '../../scripts/stack/first-password'
import { showPassword } from '../../services/identity-manager/src/users/first-administrator'

test('what the identity manager writes is kept back whole, in pieces too, and nothing else is', () => {
  const written: string[] = []
  const { write } = process.stderr
  process.stderr.write = ((text: string) => written.push(text)) as unknown as typeof write
  try {
    showPassword('admin@localhost', 'a password', 'http://127.0.0.1:4000/console')
  } finally {
    process.stderr.write = write
  }
  const text = `a line\n${written.join('')}another\n`
  for (const size of [1, 7, text.length]) {
    const first = keepFirstPassword()
    let passed = ''
    const sink = first.sift((chunk) => {
      passed += new TextDecoder().decode(chunk)
    })
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at += size) sink(bytes.subarray(at, at + size))
    expect(passed).toBe('a line\nanother\n')
    expect(
      first
        .take()
        .map((line) => `${line}\n`)
        .join(''),
    ).toBe(written.join(''))
    sink(bytes)
    expect(passed).toBe(`a line\nanother\n${text}`)
  }
})
