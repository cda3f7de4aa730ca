// The other implementation of both curves says what is right; RFC 8032's first vector besides.
import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hex } from '@scure/base'
import fc from 'fast-check'
import { ed25519PublicKey, secp256k1PublicKey, signEd25519, signSecp256k1 } from './curves'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('curves', () => {
  test('secp256k1 keys and signatures are those of another implementation', () => {
    fc.assert(
      fc.property(bytes, bytes, (key, hash) => {
        fc.pre(secp256k1.utils.isValidSecretKey(key))
        expect(secp256k1PublicKey(key)).toEqual(secp256k1.getPublicKey(key, false))
        expect(signSecp256k1(key, hash)).toEqual(secp256k1.sign(hash, key, { prehash: false, format: 'recovered' }))
      }),
      { numRuns: 20 },
    )
  })

  test('ed25519 keys and signatures are those of another implementation', () => {
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 1300 }), (key, message) => {
        expect(ed25519PublicKey(key)).toEqual(ed25519.getPublicKey(key))
        expect(signEd25519(key, message)).toEqual(ed25519.sign(message, key))
      }),
      { numRuns: 20 },
    )
  })

  test('RFC 8032, test 1', () => {
    const key = hex.decode('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60')
    expect(hex.encode(ed25519PublicKey(key))).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
    expect(hex.encode(signEd25519(key, new Uint8Array()))).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    )
  })

  test('the given key is not changed', () => {
    const key = new Uint8Array(32).fill(7)
    signEd25519(key, new Uint8Array())
    signSecp256k1(key, new Uint8Array(32))
    expect(key).toEqual(new Uint8Array(32).fill(7))
  })

  test('an invalid secp256k1 key is refused', () => {
    expect(() => secp256k1PublicKey(new Uint8Array(32))).toThrow()
    expect(() => signSecp256k1(new Uint8Array(32), new Uint8Array(32))).toThrow()
  })
})
