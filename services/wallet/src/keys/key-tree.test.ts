// The published vectors: BIP-39 (Trezor's), BIP-32 (vector 1), BIP-44 addresses and Solana's path as wallet programs show
// them, SLIP-10 (ed25519, vector 1).
import { describe, expect, spyOn, test } from 'bun:test'
import { createPublicKey, verify } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58, hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { HDKey as EdKey } from 'micro-key-producer/slip10.js'
import { hotPlace, placeOf } from './key-place'
import { createKeys } from './key-tree'

const abandon = `${'abandon '.repeat(11)}about`
const junk = `${'test '.repeat(11)}junk`
const keysOf = (mnemonic: string) => createKeys(mnemonicToSeedSync(mnemonic))

describe('the libraries', () => {
  test('BIP-39', () => {
    expect(hex.encode(mnemonicToSeedSync(abandon, 'TREZOR'))).toBe(
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    )
  })

  test('BIP-32', () => {
    const key = HDKey.fromMasterSeed(hex.decode('000102030405060708090a0b0c0d0e0f')).derive("m/0'/1/2'/2/1000000000")
    expect(key.privateExtendedKey).toBe(
      'xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76',
    )
  })

  test('SLIP-10', () => {
    const key = EdKey.fromMasterSeed(hex.decode('000102030405060708090a0b0c0d0e0f')).derive("m/0'")
    expect(hex.encode(key.privateKey)).toBe('68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3')
    expect(hex.encode(key.publicKeyRaw)).toBe('8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c')
  })
})

describe('the tree', () => {
  test('has the addresses that wallet programs show (BIP-44)', () => {
    expect(keysOf(abandon).fingerprint).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')
    const keys = keysOf(junk)
    expect(keys.addressOf('evm', hotPlace)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(keys.addressOf('evm', { account: 0, index: 1 })).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    expect(keysOf(abandon).addressOf('solana', hotPlace)).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
  })

  test('derives any place as the libraries derive its whole path', () => {
    const seed = mnemonicToSeedSync(junk)
    const keys = createKeys(seed)
    const number = fc.integer({ min: 0, max: 2 ** 31 - 1 })
    fc.assert(
      fc.property(number, number, (account, index) => {
        const evm = HDKey.fromMasterSeed(seed).derive(`m/44'/60'/${account}'/0/${index}`)
        const signature = keys.signHash({ account, index }, new Uint8Array(32).fill(7))
        expect(signature).toEqual(
          secp256k1.sign(new Uint8Array(32).fill(7), evm.privateKey as Uint8Array, {
            prehash: false,
            format: 'recovered',
          }),
        )
        const solana = EdKey.fromMasterSeed(seed).derive(`m/44'/501'/${account}'/${index}'`)
        expect(keys.addressOf('solana', { account, index })).toBe(base58.encode(solana.publicKeyRaw))
      }),
      { numRuns: 10 },
    )
  })

  test('makes signatures that other libraries verify', () => {
    const keys = keysOf(junk)
    const message = Buffer.from('a message')
    const key = createPublicKey({
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(base58.decode(keys.addressOf('solana', hotPlace))).toString('base64url'),
      },
      format: 'jwk',
    })
    expect(verify(null, message, key, keys.signMessage(hotPlace, message))).toBe(true)
  })

  test('derives the same keys with more keys than are kept, in any order', () => {
    const seed = mnemonicToSeedSync(junk)
    const few = createKeys(seed, 3)
    const hash = new Uint8Array(32).fill(7)
    const all = [1, 2, 3, 4, 5].map((index) => ({ account: 1, index }))
    const expected = all.map((place) => {
      const fresh = createKeys(seed)
      return [fresh.addressOf('evm', place), fresh.signHash(place, hash), fresh.addressOf('solana', place)]
    })
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 20 }), (order) => {
        for (const i of order) {
          const place = all[i] ?? hotPlace
          const found = [few.addressOf('evm', place), few.signHash(place, hash), few.addressOf('solana', place)]
          expect(found).toEqual(expected[i] ?? [])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('keeps what is used again, and derives again what was pushed out', () => {
    const keys = createKeys(mnemonicToSeedSync(junk), 2)
    const derived = spyOn(HDKey.prototype, 'deriveChild')
    const use = (index: number) => {
      derived.mockClear()
      keys.addressOf('evm', { account: 1, index })
      return derived.mock.calls.length > 0
    }
    try {
      expect([1, 2, 1, 3, 1, 2].map(use)).toEqual([true, true, false, true, false, true])
    } finally {
      derived.mockRestore()
    }
  })

  test('zeroes a key that is pushed out, and all of them when it is closed', () => {
    const seed = mnemonicToSeedSync(junk)
    const copied = spyOn(Uint8Array, 'from')
    const keys = createKeys(seed, 2)
    /** The key of a place, in the memory of the tree. */
    const keyOf = (index: number) => {
      const { privateKey } = HDKey.fromMasterSeed(seed).derive(`m/44'/60'/1'/0/${index}`)
      copied.mockClear()
      keys.addressOf('evm', { account: 1, index })
      // The library makes a copy as well, before the tree does.
      const copies = copied.mock.results.map(({ value }) => value as Uint8Array)
      return copies.findLast((copy) => Bun.deepEquals(copy, privateKey)) ?? new Uint8Array([1])
    }
    try {
      const made = [1, 2, 3].map(keyOf)
      const isZero = () => made.map((key) => key.every((byte) => byte === 0))
      expect(isZero()).toEqual([true, false, false])
      keys.close()
      expect(isZero()).toEqual([true, true, true])
    } finally {
      copied.mockRestore()
    }
  })

  test('cannot be used once it is closed', () => {
    const keys = keysOf(junk)
    keys.close()
    expect(() => keys.addressOf('evm', hotPlace)).toThrow('closed')
    expect(() => keys.signHash(hotPlace, new Uint8Array(32))).toThrow('closed')
  })
})

describe('the place of a wallet account', () => {
  test('is a function of its id, in any case', () => {
    const id = '0190a2c4-5f6e-7a1b-8c2d-3e4f5a6b7c8d'
    expect(placeOf(id)).toEqual({ account: 776827353, index: 1087341542 })
    expect(placeOf(id.toUpperCase())).toEqual(placeOf(id))
  })

  test('is within BIP-32’s bounds, and different for each', () => {
    const places = Array.from({ length: 2000 }, () => placeOf(Bun.randomUUIDv7()))
    for (const { account, index } of places) {
      expect(account).toBeWithin(0, 2 ** 31)
      expect(index).toBeWithin(0, 2 ** 31)
    }
    expect(new Set(places.map(({ account, index }) => `${account}/${index}`)).size).toBe(2000)
  })
})
