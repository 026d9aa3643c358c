package rank

// moreTopics are topics of software and of those who make and run it.
const moreTopics = `
code programming developer software function python javascript java script compile snippet algorithm program debug coding
github repository pull request issue commit branch merge git repo fork gitlab release
bug issue error debug fix crash exception stack trace sentry
test unit assertion coverage pytest suite
deploy deployment release pipeline build ci cd production staging vercel netlify rollout
docker container image kubernetes pod cluster helm namespace deployment node
server host cpu memory disk process uptime load machine vm instance
aws cloud s3 ec2 lambda azure gcp bucket instance region
database sql table query row column postgres mysql schema mongodb sqlite index record redis
api endpoint request http rest response graphql webhook url openapi
webhook callback trigger event automation zapier integration workflow
file directory folder path read write filesystem move copy rename list
terminal shell command bash script execute run process powershell
browser page click navigate screenshot element tab playwright puppeteer selenium chrome
scrape crawl extract html website page content web url
search web google bing results engine duckduckgo internet brave online
log logs error monitor trace grafana datadog splunk
metric monitor dashboard alert grafana prometheus threshold performance latency
security vulnerability scan threat malware attack exploit cve violation compliance
password login authenticate account user token session oauth credential
user account profile role permission member group team admin
domain dns whois ip hostname register subdomain ssl certificate
ip address network host internet outage cloudflare geolocation isp bandwidth
encrypt decrypt hash key cipher signature crypto base64 md5 sha
encode decode base64 json xml yaml format
json parse format schema object array xml yaml
regex pattern match text replace string
text string word character count length uppercase lowercase
random number generator dice coin flip roll
uuid id identifier unique
data dataset csv clean column dataframe pandas analysis analytics
machine learning model train predict dataset classifier neural feature accuracy
llm gpt ai prompt model chatbot chatgpt assistant agent openai
prompt generate improve engineer chatgpt
embedding vector semantic similarity retrieval
knowledge graph entity relation node memory observation
memory remember recall store save conversation context note
diagram flowchart uml mermaid architecture draw whiteboard
figma design component prototype mockup ui
ui interface component frontend css html layout react button
project task sprint milestone jira epic board story linear
document wiki confluence page notion knowledge
spreadsheet cell sheet excel formula row worksheet workbook
slack channel message workspace thread reaction
calendar event google outlook schedule attendee
drive file folder google dropbox storage upload share onedrive
notification push alert message notify
queue message kafka topic publish consume event
cache redis key value expire ttl
package dependency npm pip library version install module
version update upgrade release changelog
config setting environment variable parameter option preference
backup restore snapshot archive
robot drone device sensor camera
qr code barcode scan
pdf document page extract merge split convert
convert format file image pdf video audio
image resize crop compress convert edit background
video transcript youtube caption subtitle channel
speech voice audio transcribe text microphone
translate locale language text
timezone time convert clock utc
location geocode ip latitude longitude city country coordinates
analytics visitor traffic page view metric report website
ecommerce product store shopify order inventory catalog
inventory stock warehouse item quantity supply
accounting ledger invoice expense report bookkeeping
crm contact lead deal company pipeline
license policy component violation vulnerability audit
team project member organization workspace
tag label category keyword classify
list collection set items array
status state health check uptime
sequence step reasoning think thought plan reflect problem
simulation model scenario physics
gene protein genome dna variant sequence sequencing
molecule compound chemical drug reaction
clinical trial patient study treatment
`
