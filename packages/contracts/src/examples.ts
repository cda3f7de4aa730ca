/**
 * What `bun run seed` makes, as far as examples in the OpenAPI documents name it. Ids are made by the services: in the
 * documents these stand for them, and the seed ends with the real ones (docs/api.md, Examples).
 */
const place = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

export const exampleIds = {
  /** Quote service. */
  category: place(101),
  emptyCategory: place(102),
  provider: place(103),
  spareProvider: place(104),
  quoteAsset: place(105),
  /** Core ledger. */
  asset: place(201),
  deposit: place(202),
  pendingDeposit: place(203),
  depositToApprove: place(204),
  depositToReject: place(205),
  depositToApproveAtGateway: place(206),
  depositToRejectAtGateway: place(207),
  withdrawalToApprove: place(208),
  withdrawalToReject: place(209),
  withdrawalToApproveAtGateway: place(210),
  withdrawalToRejectAtGateway: place(211),
  withdrawalToFail: place(212),
  /** Customers, accounts and participants. */
  customer: place(301),
  otherCustomer: place(302),
  account: place(401),
  otherAccount: place(402),
  portfolioAccount: place(403),
  suspendedAccount: place(404),
  participant: place(501),
  message: place(601),
} as const
export type ExampleId = keyof typeof exampleIds

/** The API key of the seeded participant. */
export const exampleApiKey = 'sk_test_harbour_bank'

/** Names that the seeded records have of their own. */
export const exampleNames = {
  customer: 'harbour-trading',
  otherCustomer: 'northwind-supplies',
  account: 'harbour-treasury',
  otherAccount: 'northwind-main',
  portfolioAccount: 'harbour-portfolio',
  suspendedAccount: 'northwind-suspended',
  transfer: 'harbour-transfer-1',
  withdraw: 'harbour-payout-1',
} as const

/** USDC on Polygon, as the platform knows it from the start. */
export const exampleToken = {
  code: 'USDC',
  network: 'polygon',
  contractAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  decimals: 6,
  chainId: 137,
} as const

/** An address that no account of the platform has. */
export const exampleAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
