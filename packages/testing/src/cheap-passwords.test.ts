import { expect, test } from 'bun:test'
import { cheapPasswords } from './cheap-passwords'

const costOf = async () => (await Bun.password.hash('x')).split('$')[3]
const production = 'm=65536,t=2,p=1'

test('passwords are cheap to hash until all who wanted that have ended it', async () => {
  const [first, second] = [cheapPasswords(), cheapPasswords()]
  expect(await costOf()).toBe('m=8,t=1,p=1')
  first()
  first()
  expect(await costOf()).toBe('m=8,t=1,p=1')
  second()
  expect(await costOf()).toBe(production)
})

test('a hash of either cost verifies at any time', async () => {
  const before = await Bun.password.hash('x')
  const end = cheapPasswords()
  const cheap = await Bun.password.hash('x')
  expect([await Bun.password.verify('x', before), await Bun.password.verify('y', cheap)]).toEqual([true, false])
  end()
  expect(await Bun.password.verify('x', cheap)).toBe(true)
})
