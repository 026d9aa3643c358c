package redact

import "strings"

// nameKind is the meaning of a value's name.
type nameKind int

const (
	nameNeutral  nameKind = iota // means nothing
	nameBenign                   // not a secret: a digest, an ID, a public key
	nameVendor                   // a service that issues keys
	nameSecret                   // a token or a key
	namePassword                 // a password, which need not look random
)

var (
	passwordWords = wordSet("password passwd passwrd pwd pass passphrase passcode passwort psw pw psk passkey")
	secretWords   = wordSet(`secret secrets token tokens apikey apikeys apitoken apisecret accesskey accesstoken authtoken authkey
		authorization secretkey secretaccesskey clientsecret appsecret appkey privatekey privkey signingkey signaturekey
		masterkey encryptionkey sharedkey sharedaccesskey accountkey licensekey servicekey sessionkey refreshtoken
		bearer credential credentials creds cred jwt pat sas sig cookie sessionid sessiontoken dsn pin otp
		mnemonic webhook bottoken apipass authpass xoxb`)
	keyQualifiers = wordSet(`api access secret auth private signing encryption encrypt master shared account license service session
		client app application admin account subscription server storage sas webhook deploy integration ingest ingestion write
		read user developer dev prod test live project org team machine bot key consumer integration personal publishable
		publish project root ssh rsa aes des hmac crypto jwt cookie flask django rails laravel base`)
	benignWords = wordSet(`public pub hash hashes sha sha1 sha224 sha256 sha384 sha512 md5 crc crc32 digest checksum chksum checksums
		integrity commit revision rev etag fingerprint thumbprint cert certificate certificates csrf uuid guid nonce
		example placeholder regex regexp pattern template url uri urls path paths file filename dir folder endpoint
		host hostname length len size count max min ttl expiry expires expiration timeout version algorithm alg algo
		format prefix suffix type types kind name names label labels title description desc message msg text help
		hint error field fields column header headers param params parameter env var variable ref reference alias
		arn region issuer audience scope scopes email username user login account id ids index idx number num status
		state class style icon at on date changed updated reset strength confirm confirmation required enabled mgr
		manager hasher encoder generator input prompt dialog form page screen view component controller settings
		options box image img color selector query mode policy rule rules validator validation method func handler
		service provider store storage module package import source sourcemap target test tests spec`)
)

// classifyName returns the kind of a value's name: awsSecretAccessKey, DB_PASSWORD, x-api-key, api.key. The last words
// count most: an access_key_id or a token_url is not a secret, a client_id_secret is.
func classifyName(name string) nameKind {
	if len(name) > 32 {
		if bits, _, _ := measureRandomness(name); bits >= prefixBits {
			return nameNeutral // it is itself a value, or data
		}
	}
	words := splitName(name)
	if len(words) == 0 {
		return nameNeutral
	}
	last := words[len(words)-1]
	if bare := strings.TrimRight(last, "0123456789"); bare == "key" || passwordWords[bare] || secretWords[bare] { // apiKey2
		last = bare
		words[len(words)-1] = bare
	}
	joined := strings.Join(words, "")
	switch {
	case passwordWords[last]:
		return namePassword
	case secretWords[last] || secretWords[strings.TrimSuffix(last, "s")]:
		if hasAny(words, "public", "pub", "csrf", "xsrf") || last == "token" && hasAny(words, pageWords...) {
			return nameBenign
		}
		return nameSecret
	case (last == "key" || last == "keys") && len(words) > 1:
		return keyKind(words)
	case last == "auth":
		return nameSecret
	case hasAny(words, "hash", "digest", "checksum", "sha", "sha1", "sha256", "sha512", "md5", "integrity", "public", "pub"):
		return nameBenign
	}
	for _, suffix := range []string{"password", "passwd", "passphrase"} {
		if strings.HasSuffix(joined, suffix) {
			return namePassword
		}
	}
	for _, suffix := range []string{"secret", "token", "apikey", "secretkey", "accesskey", "authkey", "privatekey"} {
		if strings.HasSuffix(joined, suffix) && !benignWords[last] {
			return nameSecret
		}
	}
	if isVendor(words, joined) && !benignWords[last] {
		return nameVendor
	}
	if benignWords[last] {
		return nameBenign
	}
	// token_prod, SECRET_BASE: the telling word need not be the last.
	for i, w := range words {
		switch {
		case i > 0 && i < len(words)-2:
		case passwordWords[w] && w != "pass" && w != "pw":
			return namePassword
		case secretWords[w] && len(w) > 4:
			return nameSecret
		}
	}
	return nameNeutral
}

// pageWords before "token" mean that it leads to the next page or identifies a request.
var pageWords = []string{"next", "starting", "page", "pagination", "continuation", "prev", "previous", "cursor", "lifecycle", "idempotency"}

// keyKind classifies a name that ends in "key" by the word before it.
func keyKind(words []string) nameKind {
	before := words[len(words)-2]
	switch {
	case before == "public" || before == "pub" || before == "primary" || before == "foreign" || before == "cache" || before == "sort" || before == "socket":
		return nameBenign
	case keyQualifiers[before]:
		return nameSecret
	case isVendor(words, strings.Join(words, "")):
		return nameVendor
	}
	return nameNeutral
}

func hasAny(words []string, any ...string) bool {
	for _, w := range words {
		for _, a := range any {
			if w == a {
				return true
			}
		}
	}
	return false
}

// splitName splits a name into its words, in lower case: at everything except letters and digits, and where the case
// changes as in camelCase or HTTPToken.
func splitName(name string) (words []string) {
	from := 0
	flush := func(to int) {
		if from < to {
			words = append(words, strings.ToLower(name[from:to]))
		}
		from = to
	}
	for i := range len(name) {
		a := alphabetOf[name[i]]
		switch {
		case a&separator != 0:
			flush(i)
			from = i + 1
		case i == from:
		case a&upper != 0 && alphabetOf[name[i-1]]&upper == 0:
			flush(i)
		case a&lower != 0 && alphabetOf[name[i-1]]&upper != 0 && i-1 > from:
			flush(i - 1)
		}
	}
	flush(len(name))
	return words
}

// isVendor reports whether the name contains the name of a service that issues keys.
func isVendor(words []string, joined string) bool {
	for _, w := range words {
		if vendorNames[w] || alphabetOf[w[len(w)-1]] == digit && vendorNames[strings.TrimRight(w, "0123456789")] {
			return true
		}
	}
	for i := range words { // two words that make one name: open ai, new relic
		if i > 0 && vendorNames[words[i-1]+words[i]] {
			return true
		}
	}
	return vendorNames[joined]
}

// vendorNames are services whose keys are plain hexadecimal or alphanumeric, recognized only by a name next to them.
var vendorNames = wordSet(`ably abuseipdb abyssale accuweather activecampaign adafruit adobe adyen ahrefs ai21 airbrake airship airtable aiven
	alchemy aleph algolia alibaba alienvault aliyun alphavantage amadeus ambee amplitude anthropic anypoint anyscale
	apiflash apify apilayer appcues appfollow appoptics appsflyer appsmith appwrite artifactory asana assemblyai astra
	atera atlassian auth0 authorizenet autodesk autopilot avalara aviationstack aws axiom aylien azure backblaze baidu
	bamboohr bannerbear baremetrics baseten beamer betterstack bigcommerce billomat binance bing bitbank bitbar
	bitbucket bitcoinaverage bitfinex bitly bitmex bitrise bittrex blazemeter blitapp blockcypher blocknative bombbomb
	braintree brandfetch braze brevo browserless browserstack bugherd bugsnag buildkite bunny bybit calendarific
	calendly campaignmonitor carto censys centrifugo cerebras chargebee chargify chartmogul chatbot checkly checkmarx
	circleci cisco clarifai clearbit clerk clickhouse clicksend clickup cliengo clockify cloudant cloudconvert
	cloudcraft cloudera cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsight cloudsmith clubhouse
	cockroach codacy codeclimate codecov codemagic codesandbox cohere coinapi coinbase coinlayer coinlib coinmarketcap
	collectapi commercetools companyhub confluent contentful contentstack convertapi convertkit couchbase coveralls
	crowdin cryptocompare currencyfreaks currencylayer currencyscoop customerio dailyco dareboost databox databricks
	datadog datafire datarobot datastax dbt deepai deepgram deepl deepseek defectdojo deno deputy descope detectify
	devcycle dfuse diffbot digicert digitalocean discord discourse disqus dnscheck docker docparser docusign doppler
	dotdigital dovico drone droneci dropbox duffel dwolla dynalist dynatrace eagleeye easypost ebay ecostruxture edenai
	eia eightxeight elasticemail elevenlabs enablex endorlabs etherscan ethplorer etsy eventbrite everhour exchangerate
	exportsdk facebook faceplus fastforex fastly fauna fibery figma filestack finage financialmodelingprep findl
	finicity finnhub firebase fireblocks firecrawl fireworks flatio fleetbase flexport flickr flightapi flightaware
	flightstats flodesk flowflu flowise flutterwave flyio fmfw formbucket formcraft formio fossa foursquare frameio
	freshbooks freshdesk freshservice freshworks frontegg fullstory fxmarket gandi gcp gemini gengo geoapify geocode
	geocodify geocodio geoipify getemail getgeoapi getgist getresponse getsandbox getstream gitea gitee gitguardian
	github gitlab gitter glassnode gocanvas gocardless godaddy google gotowebinar grafana graphcms graphhopper groovehq
	groq gtmetrix gumroad gusto gyazo happi happyscribe harness hashicorp hcaptcha headscale helicone helpcrunch
	helpscout hereapi heroku hetzner hiveage holidayapi honeybadger honeycomb hotjar hubspot huggingface humanity
	hyperbolic hypertrack iconfinder iexcloud imagekit imagga infobip infura insightly instabot instamojo intercom
	interseller intra42 intrinio invoiceocean ipapi ipdata ipgeolocation ipify ipinfo ipinfodb ipquality ipstack jamf
	jina jotform jumpcloud jumpseller juro kagi kanbantool kickbox kinde klarna klaviyo klipfolio knapsackpro koyeb
	kraken kucoin lago lakera langchain langfuse langsmith languagelayer launchdarkly leadfeeder lemlist lemnisk
	lemonsqueezy lessannoyingcrm lexigram lichess linear linearb linkedin linkpreview linode liveagent livestorm lob
	locationiq loggly loginradius logz lokalise looker lunchmoney luno madkudu magento mailboxlayer mailchimp
	mailerlite mailersend mailgun mailjet mailmodo mailsac mandrill mapbox mapquest maptiler marketo marketstack
	mattermost mavenlink maxmind mediastack meilisearch meraki mergify mesibo messagebird metaapi metabase metrilo
	midise mindmeister minimax miro mistral mixmax mixpanel mockapi mockaroo mollie monday mongodb monkeylearn
	moonclerk moonshot moosend moralis mrticktock mux myfreshworks myintervals netcore nethunt netlify netsuite
	neutrino newrelic newsapi newscatcher nexmo nftport ngc ngrok nicereply nightfall noticeable notion novita novu npm
	nubank numverify nvidia nylas nytimes oanda octopus okta omnisend onbuka onedesk onelogin onesignal onfido onwater
	oopspam openai opencage opendns opengraphr openrouter opensea openuv openvpn openweather openweathermap opsgenie
	optimizely owlbot packagecloud paddle pagarme pagerduty pandadoc pandascore paperform paralleldots parsehub parseur
	partnerstack passbase pastebin patreon payfit paymo paypal paystack pdflayer pdfshift peopledatalabs percy
	perplexity phraseaccess pinata pinecone pingdom pinterest pipedream pipedrive pivotaltracker pixabay plaid
	planetscale planview planyo plivo podio pollsapi portainer portkey positionstack postageapp postbacks postgrid
	posthog postman postmark powrbot predibase prefect prerender prismic privateai prodpad prospectcrm protocolsio
	proxycrawl pubnub pulumi purestake pushbullet pusher pushover qase qdrant qonto qualaroo qubole quickbooks
	quicknode quora ragic rapidapi rawg razorpay rebrandly recaptcha recharge recruitee recurly reddit rekognition
	remotion repairshopr replicate replit replyio requestfinance resend restpack retellai retool revai revampcrm
	revenuecat ringcentral riot ritekit roaring roboflow rocketreach rollbar roninapp rootly route4me rownd rudderstack
	runpod runrunit salesblink salescookie salesflare salesforce salesmate sambanova sanity satismeter saucelabs
	scaleway scalingo scalr scraperapi scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer
	scrutinizer seatgeek securitytrails segment selectpdf semrush sendbird sendgrid sendinblue sentinelone sentry
	serpapi serper serphouse serpstack sherpadesk shipday shippo shodan shopee shopify shopware shortio shotstack
	shutterstock sigfox signable signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly sinch
	singlestore siteleaf skrapp skybiometry slack smartling smartsheet smartystreets smooch snipcart snowflake snyk
	sonar sonarcloud sonarqube sourcegraph sparkpost speechify speechmatics splitio splunk spoonacular sportradar
	sportsmonk spotify sqlcloud squadcast square squarespace squareup sslmate statsig statuscake statuspage statuspal
	stitchdata storecove stormboard stormglass storyblok storychief strava stripe stripo stytch sugester sumologic
	supabase supadata supernotes surrealdb surveyanyplace surveybot surveysparrow survicate svix swiftype synthesia
	tailscale tallyfy tatum tavily taxjar teamgate teamwork technicalanalysis telegram telegraph telesign telnyx
	tencent terraform textmagic theoddsapi thinkific thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi
	tinybird tinypng tmdb togetherai toggl tomorrowio tomtom tradier travelpayouts travis travisci trello trueto
	turbopuffer turso twelvedata twelvelabs twilio twitch twitter tyntec typeform typesense ubidots uclassify unifyid
	unleash unsplash unstructured upcdatabase uplead uploadcare uploadio uploadthing uproc upstash uptimerobot upwave
	urlscan userflow userstack userway vagrantcloud vapi vatlayer vbout vercel verimail veriphone versioneye viewneo
	virustotal visualcrossing voiceflow voicegain vonage vouchery voyage voyageai vpnapi vultr vyte wakatime walkscore
	wandb weatherbit weatherstack weaviate webex webflow webscraper webscraping wepay whatcms whoxy wistia woocommerce
	workday workos worksnaps workstack worldcoinindex worldweather wrike xai xata xero yandex yelp yext youdotcom
	youneedabudget youtube zapier zendesk zenscrape zenserp zeplin zerobounce zerossl zerotier zilliz zipbooks
	zipcodeapi zipcodebase zoho zohocrm zonka zoom zulip zuora zyte`)
