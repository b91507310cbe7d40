// The plant store with Express, made to keep the contract.
const { timingSafeEqual, createHash } = require('node:crypto')
const express = require('express')
const { parse, isInteger } = require('lossless-json')
const app = express()

const digest = (text) => createHash('sha256').update(text).digest()
const wanted = digest(process.env.TOKEN)

app.use((req, res, next) => {
  const found = /^bearer +([^ ]+)$/i.exec(req.headers.authorization || '')
  if (!found || !timingSafeEqual(digest(found[1]), wanted)) {
    return res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 401, message: 'unauthorized' })
  }
  next()
})

// Not express.json(): JSON.parse rounds an id to a double, and refuses nothing of what follows from that.
app.use(express.raw({ type: () => true, limit: '1mb' }))

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const refuse = (message) => Object.assign(new Error(message), { status: 400 })
const own = (object, name) => Object.prototype.hasOwnProperty.call(object, name)

function newPlant (raw) {
  let body
  try {
    body = parse(utf8.decode(raw), null, { parseNumber: (text) => isInteger(text) ? BigInt(text) : Number(text) })
  } catch (err) {
    throw refuse(err.message)
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('an object is required')
  if (!own(body, 'name') || typeof body.name !== 'string') throw refuse('name: a string is required')
  if (!own(body, 'id') || typeof body.id !== 'bigint' || body.id !== BigInt.asIntN(64, body.id)) throw refuse('id: an int64 is required')
  if (own(body, 'tag') && typeof body.tag !== 'string') throw refuse('tag: not a string')
  return body
}

app.post('/plants', (req, res) => {
  const plant = newPlant(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
  res.json(own(plant, 'tag') ? { name: plant.name, tag: plant.tag } : { name: plant.name })
})

app.use((req, res) => res.status(404).json({ error: 404, message: 'not found' }))
app.use((err, req, res, next) => {
  const status = err.status >= 400 && err.status < 500 ? err.status : 400
  res.status(status).json({ error: status, message: err.message })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
