import { readCall, writeCall } from './call'
import { event } from './event'
import { about, nullable, oneOf, t, text, timestamp, uuid } from './schema'

/** A stored rate (spec 1, Rate record). `assetId` and `asset` are null when the code was not in the catalogue. */
export const Rate = t.Object(
  {
    id: uuid(),
    assetId: nullable(uuid()),
    rate: t.Number(),
    currency: t.Literal('USD'),
    timestamp: about('When it was computed', timestamp()),
    data: about(
      'What the rate was computed from',
      t.Object(
        {
          assetCode: t.String(),
          providers: about(
            'The rate that each provider gave, by its slug; empty for a fixed rate',
            t.Record(t.String(), t.Number()),
          ),
        },
        { title: 'RateSources' },
      ),
    ),
    asset: nullable(
      t.Object(
        { id: uuid(), name: t.String(), code: t.String(), categoryId: nullable(uuid()) },
        { title: 'RatedAsset' },
      ),
    ),
  },
  { title: 'Rate' },
)

/** A rate was computed and stored by POST /rates (spec 1, Events), which was called at `requestedAt`. */
export const ValuationProcessed = event(
  'quote.valuation.processed',
  t.Object({ ...Rate.properties, isStatic: t.Boolean(), requestedAt: timestamp() }),
  {
    type: 'VALUATION_PROCESSED',
    consumers: ['log-tracker'],
    // The request and its outcome are one event and two lines: an event each would cost a rate half its speed.
    log: ({ id, assetId, rate, currency, isStatic, requestedAt, data }) => [
      {
        event_type: 'VALUATION_REQUESTED',
        status: 'PENDING',
        timestamp: requestedAt,
        metadata: { asset_code: data.assetCode },
      },
      {
        event_type: 'VALUATION_PROCESSED',
        status: 'SUCCESS',
        metadata: {
          rate_id: id,
          asset_id: assetId,
          asset_code: data.assetCode,
          rate,
          currency,
          is_static: isStatic,
          providers: data.providers,
        },
      },
    ],
  },
)

/** The current USD rate of an asset (spec 1, POST /rates), for other services. */
export const createRate = writeCall(
  'quote',
  'POST',
  '/v1/rates',
  t.Object({ assetCode: text(255) }),
  t.Object({ rate: t.Number(), currency: t.Literal('USD'), isStatic: t.Boolean() }),
)

/**
 * How long a caller of `createRate` waits: the quote service waits for each provider, up to 20 s, and then for the broker. With
 * the usual patience one provider that does not answer would hide the others' rate.
 */
export const ratePatienceMs = 25_000

/** The highest rate that was stored of an asset since a time (query: `since`, ISO 8601); 404 when there is none. */
export const getHighestRate = readCall(
  'quote',
  'GET',
  '/internal/rates/highest/:assetCode',
  t.Object({ rate: t.Number(), currency: t.Literal('USD'), at: timestamp() }),
)

/** A person changed the basis of an asset's price: its fixed value, a mapping, or a provider. */
export const PricingChanged = event(
  'quote.pricing.changed',
  t.Object({
    v: t.Literal(1),
    /** Null when it may concern every asset: a provider has changed. */
    assetCode: nullable(t.String()),
    what: oneOf(['asset', 'mapping', 'provider']),
    /** The user; null for a caller that is not a user. */
    userId: nullable(t.String()),
    at: timestamp(),
  }),
  { consumers: ['core-ledger'] },
)
