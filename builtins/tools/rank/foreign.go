package rank

// foreign says in other languages what is asked of tools most: an English word
// and what stands for it in Chinese, Japanese, Korean, German, French, Spanish,
// Portuguese, Italian and Russian. Words that mean something else in English
// are left out.
const foreign = `
weather 天气 天気 날씨 wetter météo clima погода погоду погоды
forecast 预报 予報 예보 vorhersage prévisions pronóstico previsão previsioni прогноз
news 新闻 ニュース 뉴스 nachrichten actualités noticias notícias notizie новости
search 搜索 检索 查找 検索 검색 찾아 suche suchen chercher buscar cercare поиск найди найти
create 创建 新建 作成 생성 만들 erstelle erstellen créer crée crear crea criar creare создай создать
delete 删除 移除 削除 삭제 lösche löschen supprimer supprime eliminar borrar apagar eliminare удали удалить
update 更新 修改 編集 수정 변경 ändere ändern aktualisieren actualizar modificar atualizar modificare измени обновить
list 列表 列出 一覧 목록 auflisten listar список
show 显示 展示 查看 表示 보여 zeige zeigen montrer afficher mostrar muestra mostrare покажи показать
get 获取 取得 가져 abrufen holen obtenir obtener obter ottenere получить
query 查询 照会 조회 abfrage requête consulta запрос
send 发送 送信 보내 전송 sende senden schicken envoyer envoie enviar envia inviare отправь отправить
email 邮件 メール 이메일 courriel correo письмо почта
message 消息 信息 メッセージ 메시지 nachricht mensaje mensagem messaggio сообщение
translate 翻译 翻訳 번역 übersetze übersetzen traduire traduis traducir traduzir tradurre переведи перевод
flight 航班 机票 飛行 항공 flug vuelo voo volo рейс
hotel 酒店 宾馆 旅館 호텔 hôtel отель гостиница
restaurant 餐厅 饭店 食堂 식당 ristorante restaurante ресторан
train 火车 列车 電車 기차 zug tren treno поезд
ticket 工单 票 チケット 티켓 fahrkarte boleto bilhete biglietto билет
book 预订 预约 予約 예약 buchen reservieren réserver reservar prenotare забронировать
travel 旅行 旅游 여행 reise reisen viaje viagem viaggio путешествие
map 地图 地図 지도 karte stadtplan mapa mappa карта
route 路线 ルート 경로 strecke itinéraire ruta percorso маршрут
time 时间 時間 시간 uhrzeit heure hora время
calendar 日历 日程 カレンダー 일정 kalender calendrier calendario calendário календарь
reminder 提醒 リマインダー 알림 erinnerung erinnere rappel recordatorio lembrete promemoria напомни
alarm 闹钟 目覚 알람 wecker réveil despertador sveglia будильник
task 任务 タスク 작업 aufgabe aufgaben tâche tarea tarefa attività задача
meeting 会议 会議 회의 besprechung réunion reunión reunião riunione встреча
order 订单 点餐 注文 주문 bestellung bestellen commande pedido ordine заказ
price 价格 値段 가격 preis precio preço prezzo цена
stock 股票 股价 株価 주식 주가 aktie aktien acción acciones ações azioni акции
exchange 汇率 为替 환율 wechselkurs taux cambio câmbio курс
bank 银行 銀行 은행 banque banca банк
money 钱 资金 お金 돈 geld dinero dinheiro soldi деньги
pay 支付 付款 支払 결제 zahlen bezahlen payer pagar pagare оплатить
movie 电影 映画 영화 película filme кино фильм
music 音乐 音楽 음악 musik musique música musica музыка музыку
song 歌曲 노래 chanson canción canção canzone песня песню
game 游戏 ゲーム 게임 spiel jeu juego jogo gioco игра
book 图书 书籍 書籍 도서 buch libro livro книга
image 图片 图像 画像 이미지 사진 bild imagen imagem immagine изображение
photo 照片 写真 photographie фото
video 视频 動画 영상 비디오 vidéo видео
file 文件 ファイル 파일 datei dateien fichier archivo ficheiro arquivo файл файлы
folder 文件夹 目录 フォルダ 폴더 ordner verzeichnis carpeta cartella папка
document 文档 文書 문서 dokument documento документ
database 数据库 データベース 데이터베이스 datenbank données datos база
code 代码 コード 코드 quelltext código codice код
user 用户 ユーザー 사용자 benutzer utilisateur usuario usuário utente пользователь
account 账户 账号 口座 계정 konto compte cuenta аккаунт
customer 客户 顧客 고객 kunde kunden cliente клиент
company 公司 企业 会社 회사 unternehmen entreprise empresa azienda компания
address 地址 住所 주소 adresse dirección endereço indirizzo адрес
website 网站 网页 ウェブ 웹사이트 webseite сайт
recipe 食谱 菜谱 レシピ 레시피 rezept recette receta receita ricetta рецепт
job 工作 职位 仕事 채용 arbeit emploi trabajo emprego lavoro работа
doctor 医生 医者 의사 arzt médecin médico medico врач
calculate 计算 計算 계산 berechne berechnen calculer calcula calcular calcolare вычисли посчитай
convert 转换 変換 변환 umrechnen umwandeln convertir convertire преобразовать
summarize 总结 摘要 要約 요약 zusammenfassen résumer resumir riassumere резюме
temperature 温度 气温 気温 온도 기온 temperatur température temperatura температура
current 目前 现在 当前 现状 今 現在 지금 현재 aktuell aktuelle aktuellen actuel actuelle actual actuales atual attuale текущий текущая сейчас
today 今天 今日 오늘 heute aujourd'hui hoy hoje oggi сегодня
tomorrow 明天 明日 내일 morgen demain mañana amanhã domani завтра
yesterday 昨天 昨日 어제 gestern hier ayer ontem ieri вчера
open 打开 开启 開い 開け 열어 öffne öffnen ouvrir ouvre abrir abre aprire apri открой открыть
close 关闭 閉じ 닫아 schließe schließen fermer cerrar fechar chiudere закрой закрыть
save 保存 儲存 저장 speichern speichere enregistrer guardar salvar salvare сохрани сохранить
read 读取 阅读 読む 読ん 읽어 lesen lies lire leer ler leggere прочитай читать
write 写入 编写 書く 書い 작성해 schreibe schreiben écrire écris escribir escribe escrever scrivere напиши написать
copy 复制 拷贝 コピー 복사 kopiere kopieren copier copiar copiare скопируй копировать
rename 重命名 改名 名前変更 umbenennen renommer renombrar renomear rinominare переименуй переименовать
compare 比较 对比 比較 비교 vergleiche vergleichen comparer comparar confrontare сравни сравнить
difference 差异 区别 差分 違い 차이 unterschied différence diferencia diferença differenza разница
page 页面 网页 ページ 페이지 seite página pagina страница страницу
note 笔记 备忘 メモ ノート 메모 notiz notizen nota notas заметка заметку
project 项目 專案 プロジェクト 프로젝트 projekt projet proyecto projeto progetto проект
repository 仓库 代码库 リポジトリ 저장소 depósito репозиторий
branch 分支 ブランチ 브랜치 zweig branche rama ramo ветка ветку
commit 提交 コミット 커밋 коммит
table 表格 テーブル 테이블 tabelle tableau tabla tabela tabella таблица таблицу
screenshot 截图 截屏 スクリーンショット 스크린샷 bildschirmfoto скриншот
click 点击 单击 クリック 클릭 klicke klicken cliquer clique clic clicar cliccare нажми кликни
download 下载 ダウンロード 다운로드 herunterladen télécharger descargar baixar scaricare скачай скачать
upload 上传 アップロード 업로드 hochladen téléverser subir enviar caricare загрузи загрузить
product 产品 商品 製品 제품 produkt produkte produit produits producto productos produto prodotto товар
buy 购买 買う 購入 구매 kaufe kaufen acheter comprar compra comprare купить купи
house 房子 住宅 家屋 집을 haus maison casa дом
car 汽车 車 자동차 auto wagen voiture coche carro macchina машина
clean 清洁 打扫 清掃 掃除 청소 putzen nettoyer limpiar limpar pulire убрать
light 灯 照明 電気 조명 licht lumière luz luce свет
war 战争 戦争 전쟁 krieg guerre guerra война
history 历史 歴史 역사 geschichte histoire historia história storia история
internet 互联网 网络 インターネット 인터넷 интернет
question 问题 質問 질문 frage pregunta pergunta domanda вопрос
answer 回答 答案 返答 대답 antwort réponse respuesta resposta risposta ответ
`
