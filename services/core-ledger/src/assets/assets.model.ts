import { exampleIds } from '@bursar/contracts/examples'
import {
  about,
  byId,
  jsonObject,
  nonBlank,
  nullable,
  type Static,
  t,
  text,
  timestamp,
  uuid,
} from '@bursar/contracts/schema'

/** An amount has at most 38 digits (decisions, Amount). */
const decimals = () => t.Integer({ minimum: 0, maximum: 38 })

/** POST /assets (spec 2, Assets). `address` is the contract, or `native`. */
export const NewAsset = t.Object(
  {
    code: nonBlank(),
    name: nonBlank(),
    decimalPlaces: decimals(),
    address: about('The address of the token’s contract; `native` for the network’s own coin', nonBlank()),
    network: nonBlank(),
    iso20022CurrencyCode: t.Optional(nullable(text(255))),
    iso20022BankTransactionDomainCode: t.Optional(nullable(text(255))),
  },
  {
    title: 'NewAsset',
    examples: [
      {
        code: 'EURC',
        name: 'Euro Coin',
        decimalPlaces: 6,
        address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c',
        network: 'ethereum',
        iso20022CurrencyCode: 'EUR',
      },
    ],
  },
)
export type NewAsset = Static<typeof NewAsset>

/** PATCH /assets/:id: only the given fields change. */
export const AssetChanges = t.Object(
  {
    name: t.Optional(nonBlank()),
    code: t.Optional(nonBlank()),
    blockchain: t.Optional(nonBlank()),
    contractAddress: t.Optional(nullable(nonBlank())),
    decimals: t.Optional(decimals()),
    metadata: t.Optional(jsonObject()),
  },
  { title: 'AssetChanges', examples: [{ name: 'USD Coin', metadata: { issuer: 'Circle' } }] },
)
export type AssetChanges = Static<typeof AssetChanges>

/** The creation field set (spec 2, Asset, as created). */
export const CreatedAsset = t.Object(
  {
    id: uuid(),
    code: t.String(),
    name: t.String(),
    decimalPlaces: t.Integer(),
    address: about('The address of the token’s contract; `native` for the network’s own coin', t.String()),
    network: t.String(),
    iso20022CurrencyCode: nullable(t.String()),
    iso20022BankTransactionDomainCode: nullable(t.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'CreatedAsset' },
)
export type CreatedAsset = Static<typeof CreatedAsset>

/** The list field set (spec 2, Asset, as listed, read and updated). */
export const Asset = t.Object(
  {
    id: uuid(),
    name: t.String(),
    code: t.String(),
    blockchain: t.String(),
    contractAddress: nullable(t.String()),
    decimals: t.Integer(),
    metadata: jsonObject(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Asset' },
)
export type Asset = Static<typeof Asset>

export const ById = byId(exampleIds.asset)
