import type { Static } from '@bursar/contracts/schema'
import type { MessageToSign } from '@bursar/contracts/wallet'
import type { Hex, TypedDataDefinition } from 'viem'
import { fail, invalid } from '../errors'
import { isHexBytes } from '../signing/requested-transaction'
import { typedDataProblem } from './typed-data-limits'

type Message = Static<typeof MessageToSign>

/** The hash that a message's signature covers. */
export interface MessageHash {
  /** 32 bytes, 0x… */
  hash: string
  /** The message to echo: unchanged, or the typed data as JSON. */
  message: string
}

/** The modes of signing (decisions, Web3SignMode). */
const modes: Readonly<Record<string, (message: Message) => Promise<MessageHash>>> = {
  PERSONAL_SIGN: personalHash,
  TYPED_DATA_V4: typedDataHash,
}

const encodings = ['UTF8', 'HEX'] as const

/** 422 for a mode or an encoding that is not supported, 400 for a message that cannot be signed in it. */
export function hashMessage(message: Message): Promise<MessageHash> {
  const hash = Object.hasOwn(modes, message.signMode) ? modes[message.signMode] : undefined
  if (hash) return hash(message)
  throw fail('UNPROCESSABLE', {
    message: `signMode must be one of the following values: ${Object.keys(modes).join(', ')}`,
  })
}

/** EIP-191, version 0x45: of the text's UTF-8 bytes, or of the bytes that it writes in hexadecimal. */
async function personalHash({ message, messageEncoding = 'UTF8' }: Message): Promise<MessageHash> {
  if (!encodings.some((each) => each === messageEncoding)) {
    throw fail('UNPROCESSABLE', {
      message: `messageEncoding must be one of the following values: ${encodings.join(', ')}`,
    })
  }
  if (message === undefined) throw invalid('message', 'is required for PERSONAL_SIGN')
  const viem = await import('viem/utils')
  if (messageEncoding === 'UTF8') return { hash: viem.hashMessage(message), message }
  const raw: Hex = `0x${message.replace(/^0x/i, '')}`
  if (!isHexBytes(raw)) throw invalid('message', 'must be hexadecimal, two digits for each byte')
  return { hash: viem.hashMessage({ raw }), message }
}

/** EIP-712. The primary type is the one that no other refers to. */
async function typedDataHash({ chainId, domain, types, typedDataMessage }: Message): Promise<MessageHash> {
  if (!domain) throw invalid('domain', 'is required for TYPED_DATA_V4')
  if (!types) throw invalid('types', 'is required for TYPED_DATA_V4')
  if (!typedDataMessage) throw invalid('typedDataMessage', 'is required for TYPED_DATA_V4')
  // A number or its text; an object is not made a text: its own `toString` would be asked.
  if (domain.chainId !== undefined && domain.chainId !== chainId && domain.chainId !== `${chainId}`) {
    throw invalid('domain.chainId', `must be ${chainId}, as chainId is`)
  }
  const tooLarge = typedDataProblem(types, typedDataMessage)
  if (tooLarge !== null) throw fail('INVALID_REQUEST', { message: tooLarge })
  const primaryType = primaryTypeOf(types)
  if (primaryType === null) {
    throw invalid('types', 'must be lists of {name, type}, and hold one type that no other refers to')
  }
  const { EIP712Domain: _, ...named } = types
  const viem = await import('viem/utils')
  const typed = { domain, types: named, primaryType, message: typedDataMessage } as unknown as TypedDataDefinition
  try {
    return {
      hash: viem.hashTypedData(typed),
      message: JSON.stringify({ domain, types, primaryType, message: typedDataMessage }),
    }
  } catch (cause) {
    throw fail('INVALID_REQUEST', { message: `The typed data cannot be hashed: ${reasonOf(cause)}`, cause })
  }
}

/** What viem says of a value. The engine's own errors are about viem's code, which is nothing to a caller. */
const reasonOf = (cause: unknown): string =>
  cause instanceof Error && 'shortMessage' in cause ? String(cause.shortMessage) : 'a value does not fit its type'

/**
 * EIP-712: the type of the whole message, which a request does not name: the one that no other type refers to. Null
 * when there is none or more than one, or the types are not lists of fields.
 */
function primaryTypeOf(types: Record<string, unknown>): string | null {
  const structs = Object.entries(types).filter(([name]) => name !== 'EIP712Domain')
  if (!structs.every(([, fields]) => Array.isArray(fields) && fields.every(isField))) return null
  const referred = new Set(
    structs.flatMap(([name, fields]) =>
      (fields as { type: string }[]).map(({ type }) => type.replace(/(\[\d*\])+$/, '')).filter((type) => type !== name),
    ),
  )
  const roots = structs.map(([name]) => name).filter((name) => !referred.has(name))
  return roots.length === 1 ? (roots[0] ?? null) : null
}

const isField = (field: unknown): boolean =>
  typeof field === 'object' &&
  field !== null &&
  'name' in field &&
  'type' in field &&
  typeof field.name === 'string' &&
  typeof field.type === 'string'
